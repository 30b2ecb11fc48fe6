/** Reads the sample datasets, which never change, from the JSON files beside the package. */

import { readFileSync } from 'node:fs';
import { lazily } from '../lazily.js';
import { packageFolder } from '../package-folder.js';
import { freezeDeeply } from './freeze-deeply.js';
import { type Datasets, datasetNames } from './records.js';

/**
 * The datasets of this package, read once in a process: the same for every caller, and frozen to their
 * depth. The records are taken as they are; that they have their declared types is proved by the tests.
 */
export const loadDatasets = lazily((): Datasets => {
  const directory = new URL('data/', packageFolder);
  const datasets = datasetNames.map((name) => {
    return [name, JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8'))];
  });
  return freezeDeeply(Object.fromEntries(datasets));
});
