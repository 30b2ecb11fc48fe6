/** The fields of a caller's records, as lists filter and sort by them: of kinds that were inferred. */

import { readTimestamp } from '../../../base/text/read-timestamp.js';
import {
  type DataRecord,
  type FieldKind,
  FieldTable,
  type FieldValue,
  fieldAt,
  type RecordField,
} from '../source/fields.js';
import { inferShape, type Shape } from './load/infer-shape.js';

/** Records of more are dictionaries: what comes later is no parameter. */
const maxFields = 500;
const maxNameLength = 1000;

export function fieldsOf(shape: Shape, hasId = true) {
  const names = [...shape.properties.keys()];
  const fields = ownFields(shape).filter(({ name }) => hasId || name !== 'id');
  return {
    fieldNames: [...new Set(hasId ? ['id', ...names] : names)],
    fields: new FieldTable(fields),
  };
}

/** `id` first; what is inside others by dots, such as `address.city`. Any may be null, or missing. */
export function ownFields(shape: Shape): readonly RecordField[] {
  return allFields(shape, converted);
}

export function ownColumns(shape: Shape): readonly RecordField[] {
  return allFields(shape, (_kind, value) => cellValue(value));
}

type Convert = (kind: FieldKind, value: FieldValue) => FieldValue;

function allFields(shape: Shape, convert: Convert): readonly RecordField[] {
  const fields = fieldsInside(shape, [], convert).slice(0, maxFields);
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
  convert: Convert,
): RecordField[] {
  return [...properties].flatMap(([name, shape]) => {
    const path = [...outer, name];
    if (path.join('.').length >= maxNameLength) return [];
    return [...fieldOf(shape, path, convert), ...fieldsInside(shape, path, convert)];
  });
}

function fieldOf(shape: Shape, path: readonly string[], convert: Convert): RecordField[] {
  const kinds = [...shape.types.keys()].filter((type) => type !== 'null' && type !== 'object');
  if (kinds.length === 0) return shape.types.has('object') ? [] : [fieldAt(path, 'text', true)];
  const kind = kindOf(shape, kinds);
  const field = fieldAt(path, kind, true);
  return [{ ...field, valueIn: (record) => convert(kind, field.valueIn(record)) }];
}

/** What is of several kinds is compared as text. */
function kindOf({ types, dates, times }: Shape, kinds: readonly string[]): FieldKind {
  const texts = types.get('string');
  if (kinds.every((kind) => kind === 'integer')) return 'whole number';
  if (kinds.every((kind) => kind === 'integer' || kind === 'number')) return 'number';
  if (kinds.includes('array')) return 'texts';
  if (kinds.length > 1) return 'text';
  if (kinds[0] === 'boolean') return 'boolean';
  if (times === texts) return 'timestamp';
  return dates === texts ? 'date' : 'text';
}

/** Brings what a later record holds in such a field to its kind; null where that cannot be. */
function converted(kind: FieldKind, value: FieldValue): FieldValue {
  switch (kind) {
    case 'text':
      return value === null || typeof value === 'object' ? null : String(value);
    case 'texts':
      return leavesOf(value);
    case 'timestamp':
      return typeof value === 'string' ? (readTimestamp(value) ?? null) : null;
    case 'date':
      return typeof value === 'string' ? value : null;
    case 'boolean':
      return value;
    default:
      return typeof value === 'number' ? value : null;
  }
}

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
