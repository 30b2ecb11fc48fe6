/** Checks of records by schemas that callers bring along. */

import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { requireLazily } from '../../../require-lazily.js';
import type { FieldFault } from '../../../server/http-error.js';
import { describeFaults } from '../../../server/schema-compilers.js';
import { checkSchema, knownFormats, maxSchemaNodes, type SchemaFault } from './check-schema.js';
import type { OwnObject } from './read-own-data.js';
import { PatternBudgetError, PatternEngine } from './safe-pattern.js';

const ajv2020 = requireLazily<typeof import('ajv/dist/2020.js')>('ajv/dist/2020');
const ajvFormats = requireLazily<typeof import('ajv-formats')>('ajv-formats');

/** What is wrong with each field of a record. */
export type RecordCheck = (record: OwnObject) => readonly FieldFault[];

export interface CompiledSchemas {
  /** Before what may cost no more than one check together: a record, or all of them as they are put. */
  readonly begin: () => void;
  /** By the name of the collection or single resource. */
  readonly checks: ReadonlyMap<string, RecordCheck>;
  readonly faults: readonly SchemaFault[];
  /** How many parts the schema of each has. */
  readonly nodes: ReadonlyMap<string, number>;
}

/** `schemas` are those of a `$schemas` member, by name. Where there are faults there are no checks. */
export function compileSchemas(schemas: OwnObject): CompiledSchemas {
  const faults: SchemaFault[] = [];
  const nodes = new Map<string, number>();
  const engine = new PatternEngine();
  const begin = () => engine.begin();
  for (const [name, schema] of Object.entries(schemas)) {
    const checked = checkSchema(schema);
    nodes.set(name, checked.nodes);
    faults.push(
      ...checked.faults.map(({ path, what }) => ({ path: ['$schemas', name, ...path], what })),
    );
  }
  if ([...nodes.values()].reduce((sum, each) => sum + each, 0) > maxSchemaNodes) {
    const what = `have more than ${maxSchemaNodes} parts, each counted as often as it is referred to`;
    faults.push({ path: ['$schemas'], what });
  }
  const checks = new Map<string, RecordCheck>();
  // Most data has no schemas, and the compiler takes long to load.
  if (faults.length > 0 || nodes.size === 0) return { begin, checks, faults, nodes };
  const ajv = newAjv(engine);
  for (const [name, schema] of Object.entries(schemas)) {
    try {
      checks.set(name, recordCheck(ajv.compile(schema as object | boolean), schema));
    } catch (error) {
      faults.push({
        path: ['$schemas', name],
        what: `is no JSON Schema (${(error as Error).message})`,
      });
    }
  }
  return { begin, checks, faults, nodes };
}

function newAjv(engine: PatternEngine): Ajv2020 {
  const { Ajv2020 } = ajv2020();
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    logger: false,
    // Faults are told in our words, and the text of the draft takes long to compile.
    meta: false,
    validateSchema: false,
    code: { regExp: engine.compile },
  });
  ajvFormats().default(ajv, [...knownFormats] as Parameters<
    ReturnType<typeof ajvFormats>['default']
  >[1] as never);
  // Its own compares each item with each.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: areUnique,
    error: uniqueError,
  });
  return ajv;
}

const uniqueError = { message: 'must have items that are all different' };

function areUnique(isWanted: unknown, items: readonly unknown[]): boolean {
  return isWanted !== true || new Set(items.map(canonical)).size === items.length;
}

/** The same text for equal values, whatever the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** A schema that does not speak of ids is not asked about them. */
function speaksOfId(schema: unknown): boolean {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: object;
    readonly required?: readonly unknown[];
  };
  return Object.hasOwn(properties, 'id') || (Array.isArray(required) && required.includes('id'));
}

function recordCheck(validate: ValidateFunction, schema: unknown): RecordCheck {
  const isWhole = speaksOfId(schema);
  return (record) => {
    const { id: _id, ...others } = record;
    try {
      if (validate(isWhole ? record : others)) return [];
    } catch (error) {
      if (!(error instanceof PatternBudgetError)) throw error;
      const message = 'The record is too long for the patterns of its schema.';
      return [{ field: '', message }];
    }
    return describeFaults((validate.errors ?? []) as unknown as FaultList, 'body');
  };
}

type FaultList = Parameters<typeof describeFaults>[0] & readonly ErrorObject[];
