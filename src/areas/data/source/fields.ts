/** Records, their fields, and the parameters that filter by them. */

/** An integer in this service's collections; may be a string in a caller's collections. */
export type RecordId = number | string;

export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly FieldValue[]
  | { readonly [name: string]: FieldValue };

export type DataRecord = { readonly id: RecordId } & Readonly<Record<string, FieldValue>>;

export type FieldKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'texts'
  /** Values of any type, each compared by its type. */
  | 'any';

export interface RecordField {
  /** The name in parameters: `price`, or `address.city` for a nested field. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Whether it may be null, or nested in a field that may be null. */
  readonly isNullable: boolean;
  readonly valueIn: (record: DataRecord) => FieldValue;
  /** Whether texts match only in the same letter case, such as ids and secrets. */
  readonly isExact?: boolean;
  /** Converts the text of a filter to the stored form, if there are several forms. */
  readonly readText?: ((text: string) => string) | undefined;
}

export type Operator = '' | '_gte' | '_lte' | '_gt' | '_lt' | '_ne' | '_in';

export interface Filter {
  readonly field: RecordField;
  readonly operator: Operator;
}

export function fieldAt(
  path: readonly string[],
  kind: FieldKind,
  isNullable: boolean,
): RecordField {
  const [first = '', ...inner] = path;
  const valueIn: RecordField['valueIn'] =
    inner.length === 0 ? (record) => record[first] ?? null : (record) => valueAt(record, path);
  return { name: path.join('.'), kind, isNullable, valueIn };
}

function valueAt(record: DataRecord, path: readonly string[]): FieldValue {
  let value: FieldValue | undefined = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Readonly<Record<string, FieldValue>>)[name];
  }
  return value ?? null;
}

const compared = /^(.+)(_(?:gte|lte|gt|lt|ne|in))$/s;

/** Whether a kind of field supports an operator: only ordered kinds can be more or less. */
export function isComparable(kind: FieldKind, operator: Operator): boolean {
  const hasOrder = kind !== 'boolean' && kind !== 'texts';
  return hasOrder || operator === '' || operator === '_ne' || operator === '_in';
}

export class FieldTable {
  readonly all: readonly RecordField[];
  /** The fields that a search includes. */
  readonly searched: readonly RecordField[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(fields: readonly RecordField[], searched = fields) {
    this.all = fields;
    this.searched = searched;
    this.#places = new Map(fields.map(({ name }, index) => [name, index]));
  }

  /** The names of the fields, for messages. */
  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** Finds the filter for an unknown parameter, if records may have any field. */
  openFilter(_parameter: string): Filter | undefined {
    return undefined;
  }

  /** Finds the field that a list can be sorted by. */
  sortable(name: string): RecordField | undefined {
    const field = this.all[this.#places.get(name) ?? -1];
    return field?.kind === 'texts' ? undefined : field;
  }

  /** Finds the filter for a parameter such as `price_gte`. If two match, the later field has priority. */
  filter(parameter: string): Filter | undefined {
    const [, name = '', operator = ''] = compared.exec(parameter) ?? [];
    const plain = this.#places.get(parameter) ?? -1;
    const index = this.#places.get(name) ?? -1;
    const field = this.all[index];
    if (field !== undefined && index > plain && isComparable(field.kind, operator as Operator)) {
      return { field, operator: operator as Operator };
    }
    const same = this.all[plain];
    return same && { field: same, operator: '' };
  }
}
