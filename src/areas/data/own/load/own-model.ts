/** The data of a caller with everything needed to serve it: relations between collections, and schemas of records. */

import { randomUUID } from 'node:crypto';
import { createBoundedCache } from '#base/bounded-cache.js';
import { lazily } from '#base/lazily.js';
import { runAtOnce, type Steps } from '#base/run-steps.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { JsonLocator } from '#http/json/locate-in-json.js';
import { admitSchemas, type SchemaFault } from '#json-schema/admit-schemas.js';
import { CheckBudget, maxChecks } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import { describeFaults } from '#kit/input/describe-faults.js';
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
  const faults = admitSchemas(schemas, { maxParts });
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
  if (checked.faults.length > 0) return describeFaults(checked.faults, 'body', true);
  const message = 'The record breaks its schema. A response lists only this number of errors.';
  return [{ field: '', message }];
}

/** Whether a schema mentions the id. If not, it does not restrict the id. */
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
  /** The schema of a collection or a single resource, unless it exceeds the limits of this process. */
  readonly schemaOf: (name: string) => unknown;
  /** Returns the errors of a record by the schema with that name. Throws 409 if this process rejects the schema. */
  readonly check: (name: string, record: OwnObject, budget: CheckBudget) => readonly FieldFault[];
}

/** All records of the data together may need this many times the checks of one record. */
const checksFactor = 5;

/** Parses data from text, and checks it by its own schemas. Throws {@link OwnDataError}. */
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
  const what = 'names neither a collection nor a single resource of the data';
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

/** An upper limit, including the maps of a shape. */
const bytesPerShape = 700;

/** Shapes are inferred on demand. All sandboxes share one cache of limited size. */
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
      const message = `This process rejects the stored schemas, so nothing can be written to ${name}: ${fault.path.join('.')} ${fault.what}. PUT /api/sandbox/data replaces the data.`;
      throw new HttpError(409, message);
    },
  };
}
