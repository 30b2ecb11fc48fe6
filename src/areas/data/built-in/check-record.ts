/** A record that a client sent, checked whole: every faulty field is named at once. */

import type { TSchema } from 'typebox';
import { gotValue } from '../../../base/text/got-value.js';
import type { FieldSchemas, RecordDeclaration } from '../../../data/declare-record.js';
import { initialValueOf } from '../../../data/field-types.js';
import type { FieldFault } from '../../../http/http-error.js';
import { describeSchema } from '../../../kit/describe/describe-schema.js';
import { readTimestamp } from '../read/read-timestamp.js';
import { faultyFields } from '../source/faulty-fields.js';
import type { FieldValue, RecordId, ResourceRecord } from '../source/record-fields.js';

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
  const plan = planOf(fields);
  const record = completed(plan, sent, '', faulty, faults);
  faults.push(...checkRules(record));
  if (faults.length > 0) {
    throw faultyFields(faults);
  }
  return (id, nowMs) => {
    const whole: Record<string, FieldValue> = { id };
    for (const { name, schema } of plan) {
      const value = record[name];
      whole[name] = value === undefined ? (initialValueOf(schema)?.(nowMs) ?? null) : value;
    }
    return whole as ResourceRecord;
  };
}

/** What a schema says of a field, looked up once: schemas are of many shapes, which slows each look. */
interface PlannedField {
  readonly name: string;
  readonly schema: TSchema;
  readonly standard: unknown;
  readonly isTime: boolean;
  /** Of what holds others. */
  readonly inner: readonly PlannedField[] | undefined;
}

const plans = new WeakMap<FieldSchemas, readonly PlannedField[]>();

function planOf(fields: FieldSchemas): readonly PlannedField[] {
  const known = plans.get(fields);
  if (known !== undefined) return known;
  const plan = Object.entries(fields).map(([name, schema]): PlannedField => {
    const { default: standard, properties, format } = schema as FieldSchema;
    const inner = properties && planOf(properties);
    return { name, schema, standard, isTime: format === 'date-time', inner };
  });
  plans.set(fields, plan);
  return plan;
}

interface FieldSchema {
  readonly default?: unknown;
  readonly properties?: FieldSchemas;
  readonly format?: string;
}

function completed(
  plan: readonly PlannedField[],
  sent: Readonly<Record<string, unknown>>,
  place: string,
  faulty: ReadonlySet<string>,
  faults: FieldFault[],
): Fields {
  const record: Record<string, FieldValue> = {};
  for (const { name, schema, standard, isTime, inner } of plan) {
    if (faulty.has(name)) continue;
    const value = Object.hasOwn(sent, name) ? sent[name] : standard;
    const field = place + name;
    if (value === undefined) {
      // A place that is kept, for what depends on the time.
      record[name] = undefined as unknown as FieldValue;
      if (initialValueOf(schema) === undefined) {
        faults.push({ field, message: `${field} is missing${wantedOf(schema)}.` });
      }
    } else if (inner !== undefined && value !== null) {
      const members = value as Readonly<Record<string, unknown>>;
      record[name] = completed(inner, members, `${field}.`, noNames, faults);
    } else if (isTime) {
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
