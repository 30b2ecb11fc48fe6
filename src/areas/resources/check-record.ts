/** A record that a client sent, checked whole: every faulty field is named at once. */

import type { RecordDeclaration } from '../../data/declare-record.js';
import { describeSchema } from '../../server/describe-schema.js';
import { type FieldFault, HttpError } from '../../server/http-error.js';
import { readTimestamp } from './read-timestamp.js';
import type { FieldValue } from './record-fields.js';

/**
 * The fields in the order of the wire, with times in the form of this service. `schemaFaults` are
 * those already known from the schema of the body. Throws 400 with these and what breaks a rule.
 */
export function checkRecord(
  { fields, checkRules }: RecordDeclaration,
  sent: Readonly<Record<string, unknown>>,
  schemaFaults: readonly FieldFault[],
): Readonly<Record<string, FieldValue>> {
  const faults = [...schemaFaults];
  const faulty = new Set(faults.map(({ field }) => field.split('.', 1)[0]));
  const record: Record<string, FieldValue> = {};
  for (const [name, schema] of Object.entries(fields)) {
    if (faulty.has(name)) continue;
    const value = Object.hasOwn(sent, name)
      ? sent[name]
      : (schema as { default?: unknown }).default;
    if ((schema as { format?: string }).format !== 'date-time') {
      record[name] = value as FieldValue;
      continue;
    }
    // JSON Schema lets through what no clock shows, such as a leap second.
    const time = readTimestamp(String(value));
    if (time !== undefined) record[name] = time;
    else
      faults.push({
        field: name,
        message: `The field ${name} must be ${describeSchema({ ...schema })}.`,
      });
  }
  faults.push(...checkRules(record));
  if (faults.length > 0) {
    const message = faults.map((fault) => fault.message).join(' ');
    throw new HttpError(400, message, { body: { errors: faults } });
  }
  return record;
}
