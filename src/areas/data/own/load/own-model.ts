/** Data of a caller as it is served: what belongs to what, and what records must be. */

import { randomUUID } from 'node:crypto';
import { createBoundedCache } from '../../../../base/bounded-cache.js';
import { lazily } from '../../../../base/lazily.js';
import { runAtOnce, type Steps } from '../../../../base/run-steps.js';
import { type FieldFault, HttpError } from '../../../../http/http-error.js';
import { JsonLocator } from '../../../../http/json/locate-in-json.js';
import { admitSchemas, type SchemaFault } from '../../../../json-schema/admit-schemas.js';
import { CheckBudget, maxChecks } from '../../../../json-schema/budget.js';
import { findFaults } from '../../../../json-schema/find-faults.js';
import { describeFaults } from '../../../../kit/input/describe-faults.js';
import type { SentFields } from '../../source/source.js';
import { countShapes, inferShape, type Shape } from './infer-shape.js';
import { type DataFault, maxDataFaults, OwnDataError } from './own-data-error.js';
import { type FieldNames, OwnRelations, usualFieldNames } from './own-relations.js';
import { type OwnData, type OwnObject, readOwnData } from './read-own-data.js';

type RecordChecks = ReturnType<typeof recordChecks>;

export interface OwnOptions {
  readonly names?: FieldNames | undefined;
  readonly maxSchemaParts?: number | undefined;
}

export function recordChecks(schemas: SentFields, maxParts?: number, idName = 'id') {
  const faults = admitSchemas(schemas, maxParts);
  return {
    faults: faults.map(({ path, what }): SchemaFault => ({ path: ['$schemas', ...path], what })),
    check: (name: string, record: SentFields, budget: CheckBudget) =>
      Object.hasOwn(schemas, name) ? faultsOf(schemas[name], record, budget, idName) : [],
  };
}

function faultsOf(
  schema: unknown,
  record: SentFields,
  budget: CheckBudget,
  idName: string,
): readonly FieldFault[] {
  const { [idName]: _id, ...others } = record;
  const isWhole = Array.isArray(record) || mentionsId(schema, idName);
  const checked = findFaults(schema, isWhole ? record : others, budget);
  if (checked.isValid) return [];
  if (checked.isValid === undefined) {
    return [{ field: '', message: 'The record needs too many checks by its schema.' }];
  }
  if (checked.faults.length > 0) return describeFaults(checked.faults, 'body');
  const message = 'The record breaks its schema. A response lists no more faults than these.';
  return [{ field: '', message }];
}

/** A schema that does not mention the id says nothing of it. */
function mentionsId(schema: unknown, idName: string): boolean {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: object;
    readonly required?: readonly unknown[];
  };
  const isRequired = Array.isArray(required) && required.includes(idName);
  return Object.hasOwn(properties, idName) || isRequired;
}

export interface OwnModel {
  readonly id: string;
  readonly data: OwnData;
  /** Which collections belong to which. */
  readonly relations: () => OwnRelations;
  readonly shapeOf: (name: string) => Shape;
  /** The schema of a collection or a single resource, unless it is over the limits of this process. */
  readonly schemaOf: (name: string) => unknown;
  /** Returns what is wrong with a record by the schema of that name. Throws 409 where this process accepts none such. */
  readonly check: (name: string, record: OwnObject, budget: CheckBudget) => readonly FieldFault[];
}

/** All records of data together may need this many times the checks of one. */
const checksFactor = 5;

/** Reads data from text, and checks it by its own schemas. Throws {@link OwnDataError}. */
export function loadOwnData(text: string, options?: OwnOptions): OwnModel {
  return runAtOnce(loadInSteps(text, options));
}

export function* loadInSteps(
  text: string,
  { names = usualFieldNames, maxSchemaParts }: OwnOptions = {},
): Steps<OwnModel> {
  const data = yield* readOwnData(text, names);
  const checks = recordChecks(data.schemas, maxSchemaParts, names.id);
  yield;
  const faults = schemaFaults(data, checks);
  if (checks.faults.length === 0) faults.push(...(yield* recordFaults(data, checks)));
  if (faults.length === 0) return modelOf(data, checks);
  const locator = new JsonLocator(text);
  const placed: DataFault[] = [];
  for (const { path, what } of faults.slice(0, maxDataFaults)) {
    placed.push({ field: path.join('.'), what, place: locator.place(path) });
    yield;
  }
  throw new OwnDataError(placed);
}

function schemaFaults({ members, schemas }: OwnData, { faults }: RecordChecks): SchemaFault[] {
  const what = 'names no collection and no single resource of the data';
  const unknown = Object.keys(schemas).filter((name) => !members.has(name));
  return [...faults, ...unknown.map((name) => ({ path: ['$schemas', name], what }))];
}

function* recordFaults({ members, schemas }: OwnData, checks: RecordChecks): Steps<SchemaFault[]> {
  const found: SchemaFault[] = [];
  const budget = new CheckBudget(checksFactor * maxChecks);
  for (const name of Object.keys(schemas)) {
    const { isSingle = false, records = [] } = members.get(name) ?? {};
    for (const [index, record] of records.entries()) {
      budget.beginValue();
      const start = isSingle ? [name] : [name, index];
      for (const { field, message } of checks.check(name, record, budget)) {
        const path = field === '' ? start : [...start, ...field.split('.')];
        found.push({ path, what: `breaks its schema: ${message.replace(/\.$/, '')}` });
      }
      if (found.length >= maxDataFaults) return found;
      yield;
    }
  }
  return found;
}

/** An upper bound, with the maps that a shape has. */
const bytesPerShape = 700;

/** Shapes are inferred when they are needed; all sandboxes share one bounded cache of them. */
const shapes = createBoundedCache<Shape>({
  maxEntries: 20_000,
  maxWeight: 24 * 1024 * 1024,
  weigh: (shape) => bytesPerShape * countShapes(shape),
});

export function modelOf(data: OwnData, known?: RecordChecks, maxSchemaParts?: number): OwnModel {
  const { members, schemas, names } = data;
  const checks = lazily(() => known ?? recordChecks(schemas, maxSchemaParts, names.id));
  const id = randomUUID();
  const shapeOf = (name: string) =>
    shapes.get(`${id} ${name}`, () => inferShape(members.get(name)?.records ?? []));
  const faultOf = (name: string) =>
    checks().faults.find(({ path }) => path.length === 1 || path[1] === name);
  return {
    id,
    data,
    schemaOf: (name) =>
      Object.hasOwn(schemas, name) && faultOf(name) === undefined ? schemas[name] : undefined,
    shapeOf,
    relations: lazily(() => {
      const collections = [...members].filter(([, { isSingle }]) => !isSingle);
      return new OwnRelations(
        collections.map(([name]) => name),
        names,
      );
    }),
    check(name, record, budget) {
      const fault = Object.hasOwn(schemas, name) ? faultOf(name) : undefined;
      if (fault === undefined) return checks().check(name, record, budget);
      const message = `The stored schemas are not accepted here, so nothing can be written to ${name}: ${fault.path.join('.')} ${fault.what}. PUT /api/sandbox/data replaces the data.`;
      throw new HttpError(409, message);
    },
  };
}
