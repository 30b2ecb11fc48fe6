/** The dataset of each collection. */

import { type Datasets, declarations } from '#data/records.js';
import { Dataset } from './dataset.js';

export type RowOf<Name extends keyof Datasets> = Datasets[Name][number];

export type DatasetOf = <Name extends keyof Datasets>(name: Name) => Dataset<RowOf<Name>>;

/** Creates each dataset object once, because it identifies the sandbox's data. */
export function datasetsOf(datasets: Datasets): DatasetOf {
  const made = new Map<string, unknown>();
  return <Name extends keyof Datasets>(name: Name) => {
    if (!made.has(name)) {
      const { keepsTrash } = declarations[name];
      made.set(name, new Dataset<RowOf<Name>>({ name, rows: datasets[name], keepsTrash }));
    }
    return made.get(name) as Dataset<RowOf<Name>>;
  };
}
