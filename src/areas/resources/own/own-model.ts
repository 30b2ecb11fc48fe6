/** Data of one's own as it is served: what belongs to what, and what records must be. */

import { lazily } from '../../../lazily.js';
import type { FieldFault } from '../../../server/http-error.js';
import { type CompiledSchemas, compileSchemas } from './compile-schemas.js';
import { inferShape, type Shape } from './infer-shape.js';
import { locateInJson, type Path } from './locate-in-json.js';
import { type DataFault, maxDataFaults, OwnDataError } from './own-data-error.js';
import { type OwnRelation, ownRelations } from './own-relations.js';
import { type OwnData, type OwnObject, type ReadOptions, readOwnData } from './read-own-data.js';

export interface OwnModel {
  readonly data: OwnData;
  /** Which collections belong to which, by what their first records have. */
  readonly relations: () => readonly OwnRelation[];
  /** What the records of a collection, or a single resource, have in common. */
  readonly shapeOf: (name: string) => Shape;
  /** What is wrong with a record, or a single resource, by the schema there is for it; nothing without one. */
  readonly check: (name: string, record: OwnObject) => readonly FieldFault[];
}

/** Checks of all values by all parts of a schema, which take some 20 ns each. */
const maxChecks = 20_000_000;

/** Reads data from text as {@link readOwnData} does, and checks it by its own schemas. */
export function loadOwnData(text: string, options: ReadOptions = {}): OwnModel {
  const data = readOwnData(text, options);
  const compiled = compileSchemas(data.schemas);
  const faults = [...schemaFaults(data, compiled), ...recordFaults(data, compiled)];
  if (faults.length === 0) return modelOf(data, compiled);
  const { hasPlaces = true } = options;
  throw new OwnDataError(
    faults.slice(0, maxDataFaults).map(({ path, what }) => ({
      field: path.join('.'),
      what,
      ...(hasPlaces && { place: locateInJson(text, path) }),
    })),
  );
}

interface FaultAt extends Pick<DataFault, 'what'> {
  readonly path: Path;
}

function schemaFaults(
  { collections, singles, values }: OwnData,
  { faults, nodes }: CompiledSchemas,
): FaultAt[] {
  const found: FaultAt[] = [...faults];
  for (const [name, count] of nodes) {
    const path = ['$schemas', name];
    if (!collections.has(name) && !singles.has(name)) {
      found.push({ path, what: 'names no collection and no single resource of the data' });
    } else if (count * (values.get(name) ?? 0) > maxChecks) {
      found.push({ path, what: 'has too many parts for so many values' });
    }
  }
  return found;
}

function recordFaults({ collections, singles }: OwnData, compiled: CompiledSchemas): FaultAt[] {
  const found: FaultAt[] = [];
  compiled.begin();
  for (const [name, check] of compiled.checks) {
    const single = singles.get(name);
    const records = single === undefined ? (collections.get(name) ?? []) : [single];
    for (const [index, record] of records.entries()) {
      const path = single === undefined ? [name, index] : [name];
      for (const { field, message } of check(record)) {
        found.push({
          path: [...path, ...field.split('.')],
          what: `breaks its schema: ${message.replace(/\.$/, '')}`,
        });
      }
      if (found.length >= maxDataFaults) return found;
    }
  }
  return found;
}

/** Of data that was checked before. */
export function modelOf(data: OwnData, compiled?: CompiledSchemas): OwnModel {
  const shapes = new Map<string, Shape>();
  const schemas = lazily(() => compiled ?? compileSchemas(data.schemas));

  function shapeOf(name: string): Shape {
    const known = shapes.get(name);
    if (known !== undefined) return known;
    const single = data.singles.get(name);
    const shape = inferShape(single === undefined ? (data.collections.get(name) ?? []) : [single]);
    shapes.set(name, shape);
    return shape;
  }

  return {
    data,
    shapeOf,
    relations: lazily(() => {
      const names = [...data.collections.keys()];
      return ownRelations(new Map(names.map((name) => [name, shapeOf(name).properties.keys()])));
    }),
    check(name, record) {
      const { begin, checks } = schemas();
      begin();
      return checks.get(name)?.(record) ?? [];
    },
  };
}
