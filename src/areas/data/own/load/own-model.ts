/** Data of one's own as it is served: what belongs to what, and what records must be. */

import { randomUUID } from 'node:crypto';
import { createBoundedCache } from '../../../../base/bounded-cache.js';
import { lazily } from '../../../../base/lazily.js';
import { runAtOnce, type Steps } from '../../../../base/run-steps.js';
import { type FieldFault, HttpError } from '../../../../http/http-error.js';
import { JsonLocator, type Path } from '../../../../http/json/locate-in-json.js';
import { CheckBudget, maxChecks } from '../../../../json-schema/budget.js';
import { countShapes, inferShape, type Shape } from './infer-shape.js';
import { type DataFault, maxDataFaults, OwnDataError } from './own-data-error.js';
import { type OwnRelation, ownRelations } from './own-relations.js';
import {
  type OwnData,
  type OwnObject,
  type ReadOptions,
  readOwnDataInSteps,
} from './read-own-data.js';
import { type RecordChecks, recordChecks } from './record-checks.js';

export interface OwnModel {
  readonly data: OwnData;
  /** Which collections belong to which, by what their first records have. */
  readonly relations: () => readonly OwnRelation[];
  /** What the records of a collection, or a single resource, have in common. */
  readonly shapeOf: (name: string) => Shape;
  /** The schema of a collection or a single resource, unless it is over the limits of this process. */
  readonly schemaOf: (name: string) => unknown;
  /**
   * Returns what is wrong with a record, or a single resource, by the schema of that name; nothing without one. Throws
   * 409 where the schema is over the limits of this process, such as one that another process has stored.
   */
  readonly check: (name: string, record: OwnObject, budget: CheckBudget) => readonly FieldFault[];
}

export interface LoadOptions extends ReadOptions {
  /** The limit of all schemas together; the default when left out. */
  readonly maxSchemaParts?: number | undefined;
}

/** All records of data together may need this many times the checks of one. */
const checksFactor = 5;

/** Reads data from text, and checks it by its own schemas. Throws {@link OwnDataError}. */
export function loadOwnData(text: string, options?: LoadOptions): OwnModel {
  return runAtOnce(loadInSteps(text, options));
}

/** The same in short pieces. */
export function* loadInSteps(text: string, options: LoadOptions = {}): Steps<OwnModel> {
  const data = yield* readOwnDataInSteps(text, options);
  const checks = recordChecks(data.schemas, options.maxSchemaParts);
  yield;
  const faults = schemaFaults(data, checks);
  if (checks.faults.length === 0) faults.push(...(yield* recordFaults(data, checks)));
  if (faults.length === 0) return modelOf(data, checks);
  const { hasPlaces = true } = options;
  const locator = new JsonLocator(text);
  const placed: DataFault[] = [];
  for (const { path, what } of faults.slice(0, maxDataFaults)) {
    const place = hasPlaces ? locator.place(path) : undefined;
    placed.push({ field: path.join('.'), what, ...(place && { place }) });
    yield;
  }
  throw new OwnDataError(placed);
}

interface FaultAt extends Pick<DataFault, 'what'> {
  readonly path: Path;
}

function schemaFaults({ members, schemas }: OwnData, { faults }: RecordChecks): FaultAt[] {
  const what = 'names no collection and no single resource of the data';
  const unknown = Object.keys(schemas).filter((name) => !members.has(name));
  return [...faults, ...unknown.map((name) => ({ path: ['$schemas', name], what }))];
}

function* recordFaults({ members, schemas }: OwnData, checks: RecordChecks): Steps<FaultAt[]> {
  const found: FaultAt[] = [];
  const budget = new CheckBudget(checksFactor * maxChecks);
  for (const name of Object.keys(schemas)) {
    const { isSingle = false, records = [] } = members.get(name) ?? {};
    for (const [index, record] of records.entries()) {
      budget.beginValue();
      const path = isSingle ? [name] : [name, index];
      for (const { field, message } of checks.check(name, record, budget)) {
        found.push({
          path: [...path, ...(field === '' ? [] : field.split('.'))],
          what: `breaks its schema: ${message.replace(/\.$/, '')}`,
        });
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

/** Makes a model of data that was checked before. */
export function modelOf(data: OwnData, known?: RecordChecks, maxSchemaParts?: number): OwnModel {
  const { members, schemas } = data;
  const checks = lazily(() => known ?? recordChecks(schemas, maxSchemaParts));
  const id = randomUUID();
  const shapeOf = (name: string) =>
    shapes.get(`${id} ${name}`, () => inferShape(members.get(name)?.records ?? []));
  const faultOf = (name: string) =>
    checks().faults.find(({ path }) => path.length === 1 || path[1] === name);
  return {
    data,
    schemaOf: (name) =>
      Object.hasOwn(schemas, name) && faultOf(name) === undefined ? schemas[name] : undefined,
    shapeOf,
    relations: lazily(() => {
      const names = [...members.keys()].filter((name) => members.get(name)?.isSingle === false);
      return ownRelations(new Map(names.map((name) => [name, shapeOf(name).properties.keys()])));
    }),
    check(name, record, budget) {
      if (!Object.hasOwn(schemas, name)) return [];
      const fault = faultOf(name);
      if (fault !== undefined) throw overLimits(name, fault);
      return checks().check(name, record, budget);
    },
  };
}

function overLimits(name: string, { path, what }: FaultAt): HttpError {
  return new HttpError(
    409,
    `The stored schemas are not accepted here, so nothing can be written to ${name}: ${path.join('.')} ${what}. PUT /api/sandbox/data replaces the data.`,
  );
}
