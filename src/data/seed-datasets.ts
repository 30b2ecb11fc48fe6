/** Datasets of the embedder's own in place of the packaged ones. */

import { freezeDeeply } from './freeze-deeply.js';
import type { Datasets } from './records.js';

/** The records that every sandbox begins with, for the datasets that are named. */
export type Seed = { readonly [Name in Exclude<keyof Datasets, 'items'>]?: Datasets[Name] };

/**
 * The packaged datasets with those of a seed in their place, copied and frozen, in order of id. Adds
 * to `faults` what is wrong with the seed: each record must have exactly the fields of a packaged
 * one, of the same types, and an id of its own from 1 to 2147483647.
 */
export function seedDatasets(packaged: Datasets, seed: Seed, faults: string[]): Datasets {
  const datasets = Object.create(packaged) as { -readonly [Name in keyof Datasets]: unknown };
  for (const [name, records] of Object.entries(seed)) {
    if (!Object.hasOwn(packaged, name) || name === 'items') {
      faults.push(`seed.${name} is no dataset of this service.`);
      continue;
    }
    if (records === undefined) continue;
    const checked = checkRecords(`seed.${name}`, records, packaged[name as keyof Seed], faults);
    Object.defineProperty(datasets, name, { value: checked, enumerable: true });
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
  examples: readonly object[],
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
    checkShape(place, record, examples, faults);
    const id = (record as WithId | null)?.id;
    if (!Number.isInteger(id) || Number(id) < 1 || Number(id) > maxId || ids.has(id)) {
      faults.push(
        `${place}.id must be a whole number from 1 to ${maxId} that no other record has.`,
      );
    }
    ids.add(id);
  }
  if (faults.length > before) return [];
  const copies = structuredClone(records) as WithId[];
  return freezeDeeply(copies.sort((a, b) => a.id - b.id));
}

type Kind = 'null' | 'array' | 'object' | 'string' | 'number' | 'boolean' | 'undefined';

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return (Array.isArray(value) ? 'array' : typeof value) as Kind;
}

/** Compares with the values that the packaged records have in the same place. */
function checkShape(
  where: string,
  value: unknown,
  examples: readonly unknown[],
  faults: string[],
): void {
  const kind = kindOf(value);
  const kinds = new Set(examples.map(kindOf));
  const isSendable = kind !== 'number' || Number.isFinite(value);
  if (!kinds.has(kind) || !isSendable) {
    faults.push(`${where} must be of type ${[...kinds].sort().join(' or ')}, but is ${kind}.`);
  } else if (kind === 'array') {
    const items = examples.flat();
    for (const [index, item] of (value as unknown[]).entries()) {
      checkShape(`${where}[${index}]`, item, items, faults);
    }
  } else if (kind === 'object') {
    const objects = examples.filter((each) => kindOf(each) === 'object') as Record<
      string,
      unknown
    >[];
    const fields = new Set(objects.flatMap((each) => Object.keys(each)));
    for (const field of new Set([...fields, ...Object.keys(value as object)])) {
      if (!fields.has(field)) faults.push(`${where}.${field} is no field of such a record.`);
      else {
        const inner = objects.map((each) => each[field]);
        checkShape(`${where}.${field}`, (value as Record<string, unknown>)[field], inner, faults);
      }
    }
  }
}
