/** Checks records by the schemas that callers put with them. */

import type { FieldFault } from '../../../../http/http-error.js';
import { admitSchemas, type SchemaFault } from '../../../../json-schema/admit-schemas.js';
import type { CheckBudget } from '../../../../json-schema/budget.js';
import { findFaults } from '../../../../json-schema/find-faults.js';
import { describeFaults } from '../../../../kit/input/describe-faults.js';
import type { SentFields } from '../../source/source.js';

export interface RecordChecks {
  /** Faults of the schemas; paths begin with `$schemas`. */
  readonly faults: readonly SchemaFault[];
  /** Returns what is wrong with each field of a record; nothing without a schema of that name. */
  check(name: string, record: SentFields, budget: CheckBudget): readonly FieldFault[];
}

/** `schemas` are those of a `$schemas` member, by name. */
export function recordChecks(schemas: SentFields, maxParts?: number): RecordChecks {
  const faults = admitSchemas(schemas, maxParts).map(({ path, what }) => ({
    path: ['$schemas', ...path],
    what,
  }));
  return {
    faults,
    check(name, record, budget) {
      if (!Object.hasOwn(schemas, name)) return [];
      return faultsOf(schemas[name], record, budget);
    },
  };
}

function faultsOf(schema: unknown, record: SentFields, budget: CheckBudget): readonly FieldFault[] {
  const { id: _id, ...others } = record;
  const checked = findFaults(schema, mentionsId(schema) ? record : others, budget);
  if (checked.isValid) return [];
  if (checked.isValid === undefined) {
    return [{ field: '', message: 'The record needs too many checks by its schema.' }];
  }
  if (checked.faults.length > 0)
    return describeFaults(checked.faults as unknown as FaultList, 'body');
  const message = 'The record breaks its schema. A response lists no more faults than these.';
  return [{ field: '', message }];
}

type FaultList = Parameters<typeof describeFaults>[0];

/** A schema that does not mention the id says nothing of it. */
function mentionsId(schema: unknown): boolean {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: object;
    readonly required?: readonly unknown[];
  };
  return Object.hasOwn(properties, 'id') || (Array.isArray(required) && required.includes('id'));
}
