/** The fields of a resource's records, and of what kind each is, read from the record's schema. */

import type { TSchema } from 'typebox';
import type { FieldSchemas } from '../../data/declare-record.js';
import type { Row } from '../../state/collection.js';

export type FieldValue = string | number | boolean | readonly string[];

/** A record as the rules for every resource see it. */
export type ResourceRecord = Row & Readonly<Record<string, FieldValue>>;

export type FieldKind = 'text' | 'whole number' | 'number' | 'boolean' | 'timestamp' | 'texts';

export interface RecordField {
  readonly name: string;
  readonly kind: FieldKind;
}

/** The fields of a record: `id`, and then those of the schema in its order. */
export function recordFields(schemas: FieldSchemas): readonly RecordField[] {
  const others = Object.entries(schemas).map(([name, schema]) => ({ name, kind: kindOf(schema) }));
  return [{ name: 'id', kind: 'whole number' }, ...others];
}

function kindOf({ type, format }: TSchema & { type?: string; format?: string }): FieldKind {
  if (type === 'integer') return 'whole number';
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'array') return 'texts';
  return format === 'date-time' ? 'timestamp' : 'text';
}
