/** Replaces packaged datasets by datasets of the embedding program. */

import type { TSchema } from 'typebox';
import { freezeDeeply } from '#base/json-object.js';
import { wholeRecord } from './record-schemas.js';
import { type CollectionName, collectionNames, type Datasets, declarations } from './records.js';

/** Initial records of every sandbox, by dataset. */
export type Seed = { readonly [Name in CollectionName]?: Datasets[Name] };

/**
 * Replaces datasets by copies from the seed, frozen and in order of id. Adds the faults of the seed
 * to `faults`: each record must have exactly the declared fields, of the declared types, and a
 * unique id from 1 to 2147483647. Other limits of fields apply only to requests.
 */
export function seedDatasets(packaged: Datasets, seed: Seed, faults: string[]): Datasets {
  const datasets: { -readonly [Name in keyof Datasets]: unknown } = { ...packaged };
  for (const [name, records] of Object.entries(seed)) {
    const known = collectionNames.find((each) => each === name);
    if (known === undefined) faults.push(`seed.${name} is not a dataset of this service.`);
    else if (records !== undefined) {
      const schema = wholeRecord(declarations[known]);
      datasets[known] = checkRecords(`seed.${name}`, records, schema, faults);
    }
  }
  return datasets as Datasets;
}

interface WithId {
  readonly id: number;
}

const maxId = 2 ** 31 - 1;

function checkRecords(
  where: string,
  records: unknown,
  schema: TSchema,
  faults: string[],
): readonly WithId[] {
  if (!Array.isArray(records)) {
    faults.push(`${where} must be an array of records.`);
    return [];
  }
  const before = faults.length;
  const ids = new Set<unknown>();
  for (const [index, record] of records.entries()) {
    const place = `${where}[${index}]`;
    checkShape(place, record, schema, faults);
    const id = (record as WithId | null)?.id;
    if (!Number.isInteger(id) || Number(id) < 1 || Number(id) > maxId || ids.has(id)) {
      faults.push(`${place}.id must be a unique integer from 1 to ${maxId}.`);
    }
    ids.add(id);
  }
  if (faults.length > before) return [];
  const copies = structuredClone(records) as WithId[];
  return freezeDeeply(copies.sort((a, b) => a.id - b.id));
}

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** Returns the JSON Schema type, with `integer` for integers. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function checkShape(where: string, value: unknown, schema: Shape, faults: string[]): void {
  const kind = kindOf(value);
  const types = [schema.type ?? []].flat();
  const isWhole = Number.isInteger(value) && types.includes('integer');
  const isSendable = kind !== 'number' || Number.isFinite(value);
  if (!(types.includes(kind) || isWhole) || !isSendable) {
    faults.push(`${where} must be of type ${[...types].sort().join(' or ')}; got ${kind}.`);
  } else if (kind === 'array') {
    for (const [index, item] of (value as unknown[]).entries()) {
      checkShape(`${where}[${index}]`, item, schema.items ?? {}, faults);
    }
  } else if (kind === 'object') {
    const members = value as Readonly<Record<string, unknown>>;
    const declared = schema.properties ?? {};
    for (const [name, inner] of Object.entries(declared)) {
      checkShape(`${where}.${name}`, members[name], inner, faults);
    }
    for (const name of Object.keys(members)) {
      if (!Object.hasOwn(declared, name)) {
        faults.push(`${where}.${name} is not a field of these records.`);
      }
    }
  }
}
