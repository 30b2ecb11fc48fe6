/** A record that a client sent, checked whole: every faulty field is named at once. */

import type { TSchema } from 'typebox';
import { lazily } from '../../../base/lazily.js';
import { gotValue } from '../../../base/text/got-value.js';
import type { FieldSchemas, RecordDeclaration } from '../../../data/declare-record.js';
import { initialValueOf } from '../../../data/field-types.js';
import type { FieldFault } from '../../../http/http-error.js';
import { describeSchema } from '../../../kit/input/describe-schema.js';
import { readTimestamp } from '../read/read-value.js';
import { faultyFields } from '../source/faults.js';
import type { DataRecord, FieldValue } from '../source/fields.js';
import type { CheckedRecord, SentFields } from '../source/source.js';

type Fields = Readonly<Record<string, FieldValue>>;

type Check = (sent: SentFields, faults: readonly FieldFault[]) => CheckedRecord['build'];

/** Makes records whole: with the fields in the order of the wire, and times in the form of this service. */
export function recordChecker({ fields, checkRules }: RecordDeclaration): Check {
  const plan = lazily(() => planOf(fields));
  return (sent, schemaFaults) => {
    const faults = [...schemaFaults];
    const faulty = new Set(faults.map(({ field }) => field.split('.', 1)[0] ?? ''));
    const record = completed(plan(), sent, '', faulty, faults);
    faults.push(...checkRules(record));
    if (faults.length > 0) throw faultyFields(faults);
    return (id, nowMs) => {
      const whole: Record<string, FieldValue> = { id };
      for (const { name, schema } of plan()) {
        whole[name] = record[name] ?? initialValueOf(schema)?.(nowMs) ?? null;
      }
      return whole as DataRecord;
    };
  };
}

/** Facts about a field from its schema: schemas have many shapes, which slows each look. */
interface PlannedField {
  readonly name: string;
  readonly schema: TSchema;
  readonly standard: unknown;
  readonly isTime: boolean;
  readonly inner: readonly PlannedField[] | undefined;
}

function planOf(fields: FieldSchemas): readonly PlannedField[] {
  return Object.entries(fields).map(([name, schema]) => {
    const { default: standard, properties, format } = schema as FieldSchema;
    const inner = properties && planOf(properties);
    return { name, schema, standard, isTime: format === 'date-time', inner };
  });
}

interface FieldSchema {
  readonly default?: unknown;
  readonly properties?: FieldSchemas;
  readonly format?: string;
}

function completed(
  plan: readonly PlannedField[],
  sent: SentFields,
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
      // Keeps the place of a default that depends on the time.
      record[name] = undefined as unknown as FieldValue;
      if (initialValueOf(schema) === undefined) {
        faults.push({ field, message: `${field} is missing${wantedOf(schema)}.` });
      }
    } else if (inner !== undefined && value !== null) {
      record[name] = completed(inner, value as SentFields, `${field}.`, noNames, faults);
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
