/** Reads the sample datasets, which never change, from the JSON files beside the package. */

import { freezeDeeply } from '../base/json-object.js';
import { lazily } from '../base/lazily.js';
import { readPackageFile } from '../base/package/package-files.js';
import { type DatasetName, type Datasets, datasetNames } from './records.js';

/**
 * The datasets of this package, each read once in a process, when somebody first asks for it: the same for every
 * caller, and frozen to their depth. The records are taken as they are; that they have their declared types is proved
 * by the tests.
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
