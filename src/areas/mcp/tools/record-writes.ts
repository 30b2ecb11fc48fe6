/** Checks records that tools write, and completes them with their defaults. */

import type { TSchema } from 'typebox';
import type { JsonObject } from '../../../base/json-object.js';
import { initialValueOf } from '../../../data/field-types.js';
import { newRecordSchema, patchSchema } from '../../../data/record-schemas.js';
import { type CollectionName, declarations } from '../../../data/records.js';
import { describeFaults } from '../../../kit/input/describe-faults.js';
import { bodyValidator } from '../../../kit/input/validators.js';
import type { Row } from '../../../state/rows/dataset.js';

/** Thrown for invalid fields; the tool returns its message as an error result. */
export class InvalidRecord extends Error {
  override readonly name = 'InvalidRecord';
}

type Build = (id: Row['id'], nowMs: number) => Row;

export function newRecord(name: CollectionName, given: JsonObject): Build {
  const { [name]: declaration } = declarations;
  const sent = structuredClone(given) as Record<string, unknown>;
  reject(bodyValidator(newRecordSchema(declaration))(sent), declaration.checkRules(sent));
  const fields = Object.entries(declaration.fields) as [string, TSchema][];
  return (id, nowMs) => {
    const values = fields.map(([field, schema]) => [
      field,
      sent[field] ?? initialValueOf(schema)?.(nowMs) ?? null,
    ]);
    return { id, ...Object.fromEntries(values) };
  };
}

export function patchedRecord(name: CollectionName, row: Row, patch: JsonObject): Row {
  const { [name]: declaration } = declarations;
  const { id: _id, ...before } = row as Row & JsonObject;
  reject(bodyValidator(patchSchema(declaration))(structuredClone(patch)), []);
  const merged = { ...before, ...patch };
  reject(undefined, declaration.checkRules(merged));
  return { ...merged, id: row.id };
}

type Faults = Parameters<typeof describeFaults>[0];

function reject(faults: Faults | undefined, ruleFaults: readonly { message: string }[]): void {
  const found = [...describeFaults(faults ?? [], 'body'), ...ruleFaults];
  if (found.length > 0) throw new InvalidRecord(found.map(({ message }) => message).join(' '));
}
