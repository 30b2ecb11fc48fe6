/** Checks a complete record from a client, and names every invalid field. */

import type { TSchema } from 'typebox';
import { gotValue } from '#base/text/got-value.js';
import { readTimestamp } from '#base/text/read-timestamp.js';
import type { FieldSchemas, RecordDeclaration } from '#data/declare-record.js';
import { initialValueOf } from '#data/field-types.js';
import type { FieldSchema } from '#data/record-schemas.js';
import type { FieldFault } from '#http/http-error.js';
import { describeSchema } from '#kit/input/describe-schema.js';
import { rejectFaults } from '../source/faults.js';
import type { DataRecord, FieldValue } from '../source/fields.js';
import type { CheckedRecord, SentFields } from '../source/source.js';

/** Completes a record, with its fields in the order of the schema. Throws 400 with all errors. */
export function checkRecord(
  { fields, checkRules }: RecordDeclaration,
  sent: SentFields,
  schemaFaults: readonly FieldFault[],
): CheckedRecord {
  const faults = [...schemaFaults];
  const faulty = new Set(faults.map(({ field }) => field.split('.', 1)[0] ?? ''));
  const record = completed(fields, sent, '', faulty, faults);
  faults.push(...checkRules(record));
  rejectFaults(faults);
  return {
    build(id, nowMs) {
      const whole: Record<string, FieldValue> = { id };
      for (const name of Object.keys(fields)) {
        whole[name] = record[name] ?? initialValueOf(fields[name] as TSchema)?.(nowMs) ?? null;
      }
      return whole as DataRecord;
    },
  };
}

function completed(
  fields: FieldSchemas,
  sent: SentFields,
  place: string,
  faulty: ReadonlySet<string>,
  faults: FieldFault[],
): Readonly<Record<string, FieldValue>> {
  const record: Record<string, FieldValue> = {};
  for (const name of Object.keys(fields)) {
    if (faulty.has(name)) continue;
    const schema = fields[name] as TSchema;
    const { default: standard, properties, format } = schema as FieldSchema;
    const value = Object.hasOwn(sent, name) ? sent[name] : standard;
    const field = place + name;
    if (value === undefined) {
      // Keeps the position of a default that depends on the time.
      record[name] = undefined as unknown as FieldValue;
      if (initialValueOf(schema) === undefined) {
        faults.push({ field, message: `${field} is missing${wantedOf(schema)}.` });
      }
    } else if (properties !== undefined && value !== null) {
      record[name] = completed(properties, value as SentFields, `${field}.`, noNames, faults);
    } else if (format === 'date-time') {
      record[name] = timeOf(String(value), field, schema, faults);
    } else {
      record[name] = value as FieldValue;
    }
  }
  return record;
}

const noNames: ReadonlySet<string> = new Set();

function wantedOf(schema: object): string {
  const wanted = describeSchema({ ...schema });
  return wanted === undefined ? '' : `; it must be ${wanted}`;
}

/** JSON Schema accepts times that no clock shows, such as a leap second. */
function timeOf(text: string, field: string, schema: TSchema, faults: FieldFault[]): FieldValue {
  const time = readTimestamp(text);
  if (time !== undefined) return time;
  const message = `${field} must be ${describeSchema({ ...schema })}${gotValue(field, text)}.`;
  faults.push({ field, message });
  return text;
}
