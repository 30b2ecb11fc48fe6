/** A record that a client sent, checked whole: every faulty field is named at once. */

import type { TSchema } from 'typebox';
import type { FieldSchemas, RecordDeclaration } from '../../data/declare-record.js';
import { initialValueOf } from '../../data/field-types.js';
import { gotValue } from '../../got-value.js';
import { describeSchema } from '../../server/describe-schema.js';
import type { FieldFault } from '../../server/http-error.js';
import { faultyFields } from './faulty-fields.js';
import { readTimestamp } from './read-timestamp.js';
import type { FieldValue, RecordId, ResourceRecord } from './record-fields.js';

/** All of a record but its id; what it begins with can depend on the time of its sandbox. */
export type CheckedRecord = (id: RecordId, nowMs: number) => ResourceRecord;

type Fields = Readonly<Record<string, FieldValue>>;

/**
 * The fields in the order of the wire, with times in the form of this service. `schemaFaults` are
 * those already known from the schema of the body. Throws 400 with these and what breaks a rule.
 */
export function checkRecord(
  { fields, checkRules }: RecordDeclaration,
  sent: Readonly<Record<string, unknown>>,
  schemaFaults: readonly FieldFault[],
): CheckedRecord {
  const faults = [...schemaFaults];
  const faulty = new Set(faults.map(({ field }) => field.split('.', 1)[0] ?? ''));
  const record = completed(fields, sent, '', faulty, faults);
  faults.push(...checkRules(record));
  if (faults.length > 0) {
    throw faultyFields(faults);
  }
  return (id, nowMs) => {
    const whole: Record<string, FieldValue> = { id };
    for (const name of Object.keys(fields)) {
      const value = record[name];
      whole[name] =
        value === undefined ? (initialValueOf(fields[name] as TSchema)?.(nowMs) ?? null) : value;
    }
    return whole as ResourceRecord;
  };
}

function completed(
  fields: FieldSchemas,
  sent: Readonly<Record<string, unknown>>,
  place: string,
  faulty: ReadonlySet<string>,
  faults: FieldFault[],
): Fields {
  const record: Record<string, FieldValue> = {};
  for (const name of Object.keys(fields)) {
    if (faulty.has(name)) continue;
    const schema = fields[name] as TSchema;
    const value = Object.hasOwn(sent, name)
      ? sent[name]
      : (schema as { default?: unknown }).default;
    const field = place + name;
    const { properties, format } = schema as { properties?: FieldSchemas; format?: string };
    if (value === undefined) {
      // A place that is kept, for what depends on the time.
      record[name] = undefined as unknown as FieldValue;
      if (initialValueOf(schema) === undefined) {
        faults.push({ field, message: `${field} is missing${wantedOf(schema)}.` });
      }
    } else if (properties !== undefined && value !== null) {
      const inner = value as Readonly<Record<string, unknown>>;
      record[name] = completed(properties, inner, `${field}.`, noNames, faults);
    } else if (format === 'date-time') {
      record[name] = timeOf(String(value), field, schema, faults);
    } else {
      record[name] = value as FieldValue;
    }
  }
  return record;
}

function wantedOf(schema: object): string {
  const wanted = describeSchema({ ...schema });
  return wanted === undefined ? '' : `; it must be ${wanted}`;
}

const noNames: ReadonlySet<string> = new Set();

/** JSON Schema lets through what no clock shows, such as a leap second. */
function timeOf(text: string, field: string, schema: TSchema, faults: FieldFault[]): FieldValue {
  const time = readTimestamp(text);
  if (time === undefined) {
    const message = `${field} must be ${describeSchema({ ...schema })}${gotValue(field, text)}.`;
    faults.push({ field, message });
  }
  return time ?? text;
}
