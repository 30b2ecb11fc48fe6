/** Collections of records of a practice API. */

import { lazily } from '#base/lazily.js';
import { Dataset } from '#state/rows/dataset.js';

export interface Item {
  readonly id: number | string;
  readonly [member: string]: unknown;
}

/** Makes its rows on first use. */
export interface Collection {
  readonly dataset: () => Dataset<Item>;
}

export function collection(name: string, rows: () => readonly object[], idName = 'id'): Collection {
  const made = () => Object.freeze(rows()) as readonly Item[];
  return { dataset: lazily(() => new Dataset<Item>({ name, idName, rows: made() })) };
}
