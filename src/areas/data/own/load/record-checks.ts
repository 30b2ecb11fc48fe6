/** Checks records by the schemas that callers put with them. */

import type { FieldFault } from '../../../../http/http-error.js';
import { admitSchemas, type SchemaFault } from '../../../../json-schema/admit-schemas.js';
import type { CheckBudget } from '../../../../json-schema/budget.js';
import { findFaults } from '../../../../json-schema/find-faults.js';
import { describeFaults } from '../../../../kit/input/describe-faults.js';
import type { SentFields } from '../../source/source.js';

export interface RecordChecks {
  readonly faults: readonly SchemaFault[];
  /** Returns what is wrong with each field of a record; nothing without a schema of that name. */
  check(name: string, record: SentFields, budget: CheckBudget): readonly FieldFault[];
}

export function recordChecks(schemas: SentFields, maxParts?: number): RecordChecks {
  return {
    faults: admitSchemas(schemas, maxParts).map(({ path, what }) => ({
      path: ['$schemas', ...path],
      what,
    })),
    check: (name, record, budget) =>
      Object.hasOwn(schemas, name) ? faultsOf(schemas[name], record, budget) : [],
  };
}

function faultsOf(schema: unknown, record: SentFields, budget: CheckBudget): readonly FieldFault[] {
  const { id: _id, ...others } = record;
  const checked = findFaults(schema, mentionsId(schema) ? record : others, budget);
  if (checked.isValid) return [];
  if (checked.isValid === undefined) {
    return [{ field: '', message: 'The record needs too many checks by its schema.' }];
  }
  if (checked.faults.length > 0) return describeFaults(checked.faults, 'body');
  const message = 'The record breaks its schema. A response lists no more faults than these.';
  return [{ field: '', message }];
}

/** A schema that does not mention the id says nothing of it. */
function mentionsId(schema: unknown): boolean {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: object;
    readonly required?: readonly unknown[];
  };
  return Object.hasOwn(properties, 'id') || (Array.isArray(required) && required.includes('id'));
}
