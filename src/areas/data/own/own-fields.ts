/** The fields of records of one's own, as lists filter and sort by them: of kinds that were inferred. */

import { readTimestamp } from '../read/read-timestamp.js';
import {
  type DataRecord,
  type FieldKind,
  type FieldValue,
  fieldAt,
  type RecordField,
} from '../source/fields.js';
import { inferShape, type Shape } from './load/infer-shape.js';

/** Records of more are dictionaries: what comes later is no parameter. */
const maxFields = 500;
/** No address holds many longer names. */
const maxNameLength = 1000;

type Convert = (value: FieldValue) => FieldValue;

/** `id` first; what is inside others by dots, such as `address.city`. Any may be null, or missing. */
export function ownFields(shape: Shape): readonly RecordField[] {
  return allFields(shape, (kind) => conversions[kind]);
}

/** The same as columns of a table, which shows values as they are. */
export function ownColumns(shape: Shape): readonly RecordField[] {
  return allFields(shape, () => cellValue);
}

function allFields(
  shape: Shape,
  conversionOf: (kind: FieldKind) => Convert | undefined,
): readonly RecordField[] {
  const fields = fieldsInside(shape, [], conversionOf).slice(0, maxFields);
  const id = fields.find(({ name }) => name === 'id') ?? fieldAt(['id'], 'whole number', false);
  return [{ ...id, isNullable: false }, ...fields.filter(({ name }) => name !== 'id')];
}

/** The columns of a table of these records: those that the data began with, and what was written into them since. */
export function columnsOf(
  began: readonly RecordField[],
  records: readonly DataRecord[],
): readonly RecordField[] {
  // What the data began with is frozen.
  const written = records.filter((record) => !Object.isFrozen(record));
  if (written.length === 0) return began;
  const known = new Set(began.map(({ name }) => name));
  return [...began, ...ownColumns(inferShape(written)).filter(({ name }) => !known.has(name))];
}

function fieldsInside(
  { properties }: Shape,
  outer: readonly string[],
  conversionOf: (kind: FieldKind) => Convert | undefined,
): RecordField[] {
  return [...properties].flatMap(([name, shape]) => {
    const path = [...outer, name];
    if (path.reduce((sum, { length }) => sum + length + 1, 0) > maxNameLength) return [];
    const inner = fieldsInside(shape, path, conversionOf);
    const own = fieldOf(shape, path, conversionOf);
    return own === undefined ? inner : [own, ...inner];
  });
}

/** `undefined` for what holds nothing but others. */
function fieldOf(
  shape: Shape,
  path: readonly string[],
  conversionOf: (kind: FieldKind) => Convert | undefined,
): RecordField | undefined {
  const kinds = [...shape.types.keys()].filter((type) => type !== 'null' && type !== 'object');
  if (kinds.length === 0)
    return shape.types.has('object') ? undefined : fieldAt(path, 'text', true);
  const kind = kindOf(shape, kinds);
  const field = fieldAt(path, kind, true);
  const convert = conversionOf(kind);
  if (convert === undefined) return field;
  return { ...field, valueIn: (record) => convert(field.valueIn(record)) };
}

/** What is of several kinds is compared as text. */
function kindOf(shape: Shape, kinds: readonly string[]): FieldKind {
  const texts = shape.types.get('string');
  if (kinds.every((kind) => kind === 'integer')) return 'whole number';
  if (kinds.every((kind) => kind === 'integer' || kind === 'number')) return 'number';
  if (kinds.includes('array')) return 'texts';
  if (kinds.length > 1) return 'text';
  if (kinds[0] === 'boolean') return 'boolean';
  if (shape.times === texts) return 'timestamp';
  return shape.dates === texts ? 'date' : 'text';
}

/** What a later record may hold in such a field is brought to its kind; null where that cannot be. */
const conversions: Partial<Record<FieldKind, Convert>> = {
  text: (value) => (value === null || typeof value === 'object' ? null : String(value)),
  texts: (value) => leavesOf(value),
  timestamp: (value) => (typeof value === 'string' ? (readTimestamp(value) ?? null) : null),
  date: (value) => (typeof value === 'string' ? value : null),
  number: (value) => (typeof value === 'number' ? value : null),
  'whole number': (value) => (typeof value === 'number' ? value : null),
};

/** Of an object there are columns of their own. */
function cellValue(value: FieldValue): FieldValue {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? leavesOf(value) : null;
}

/** Everything that a list holds, however deep, as texts. */
function leavesOf(value: FieldValue): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}
