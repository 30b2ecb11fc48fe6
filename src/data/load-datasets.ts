/** Reads the sample datasets, which never change, from the package's JSON files. */

import { freezeDeeply } from '#base/json-object.js';
import { lazily } from '#base/lazily.js';
import { readPackageFile } from '#base/package/package-files.js';
import { type DatasetName, type Datasets, datasetNames } from './records.js';

/**
 * Loads the datasets of this package on first use, once per process, deeply frozen. Tests check the
 * records against their declared types.
 */
export const loadDatasets = lazily((): Datasets => {
  const entries = datasetNames.map((name) => {
    return [name, { enumerable: true, get: lazily(() => readDataset(name)) }];
  });
  return Object.freeze(Object.defineProperties({} as Datasets, Object.fromEntries(entries)));
});

function readDataset(name: DatasetName): unknown {
  return freezeDeeply(JSON.parse(String(readPackageFile(`data/${name}.json`))));
}
