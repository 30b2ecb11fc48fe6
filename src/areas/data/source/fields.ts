/** Records, their fields, and the parameters that filter by them. */

/** An integer in the collections of this service; in those of a caller it may be a string. */
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
  | 'whole number'
  | 'number'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'texts'
  /** Of values of any type: each is compared as what it is. */
  | 'any';

export interface RecordField {
  /** As parameters name it: `price`, or `address.city` of one inside another. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Whether it may be null, or be inside something that may be. */
  readonly isNullable: boolean;
  readonly valueIn: (record: DataRecord) => FieldValue;
  /** Whether texts match only in the same letter case, such as ids and secrets. */
  readonly isExact?: boolean;
  /** Brings the text of a filter into the form that is stored, where there are several. */
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

/** Whether a field of that kind can be compared in that way: only what has an order is more or less. */
export function isComparable(kind: FieldKind, operator: Operator): boolean {
  const hasOrder = kind !== 'boolean' && kind !== 'texts';
  return hasOrder || operator === '' || operator === '_ne' || operator === '_in';
}

export class FieldTable {
  readonly all: readonly RecordField[];
  /** The fields that a search looks through. */
  readonly searched: readonly RecordField[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(fields: readonly RecordField[], searched = fields) {
    this.all = fields;
    this.searched = searched;
    this.#places = new Map(fields.map(({ name }, place) => [name, place]));
  }

  /** The names of the fields, for messages. */
  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** Finds the filter that a parameter of any other name is, where records may have any field. */
  openFilter(_parameter: string): Filter | undefined {
    return undefined;
  }

  /** Finds the field that a list can be sorted by. */
  sortable(name: string): RecordField | undefined {
    const field = this.all[this.#places.get(name) ?? -1];
    return field?.kind === 'texts' ? undefined : field;
  }

  /** Finds the filter that a parameter such as `price_gte` is; of two, the one of the later field. */
  filter(parameter: string): Filter | undefined {
    const [, name = '', operator = ''] = compared.exec(parameter) ?? [];
    const plain = this.#places.get(parameter) ?? -1;
    const place = this.#places.get(name) ?? -1;
    const field = this.all[place];
    if (field !== undefined && place > plain && isComparable(field.kind, operator as Operator)) {
      return { field, operator: operator as Operator };
    }
    const same = this.all[plain];
    return same && { field: same, operator: '' };
  }
}
