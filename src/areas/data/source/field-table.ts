/** Fields by their names, and by the parameters that filter by them. */

import type {
  DataRecord,
  FieldKind,
  Fields,
  FieldValue,
  Filter,
  Operator,
  RecordField,
} from './source.js';

/** The field that these names lead to. */
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
  let value: FieldValue | undefined = record as FieldValue;
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

/** The fields that a list is filtered and sorted by. */
export class FieldTable implements Fields {
  readonly all: readonly RecordField[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(fields: readonly RecordField[]) {
    this.all = fields;
    this.#places = new Map(fields.map(({ name }, place) => [name, place]));
  }

  /** Of two filters that a parameter could be, it is the one of the later field. */
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
