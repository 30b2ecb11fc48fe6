/** Reads the sample datasets, which never change, from the JSON files beside the package. */

import { readFileSync } from 'node:fs';
import { lazily } from '../lazily.js';
import { packageFolder } from '../package-folder.js';
import { freezeDeeply } from './freeze-deeply.js';
import { type Datasets, datasetNames } from './records.js';

const packagedDatasets = readDatasets(new URL('data/', packageFolder));

/**
 * The datasets of this package, the same frozen ones for every caller. A file is read when its
 * dataset is first asked for and only once in a process; spreading the result reads them all.
 */
export function loadDatasets(): Datasets {
  return packagedDatasets;
}

/**
 * The datasets in `directory`, whose URL ends with a slash: `users.json` and so on, each read
 * synchronously on first access and frozen to its depth. The records are taken as they are; that
 * the packaged ones have their declared types is proved by the tests. An access throws when the
 * file cannot be read or is not JSON, and the next access tries again.
 */
export function readDatasets(directory: URL): Datasets {
  const datasets = {};
  for (const name of datasetNames) {
    const records = lazily(() =>
      freezeDeeply(JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8'))),
    );
    Object.defineProperty(datasets, name, { enumerable: true, get: records });
  }
  return Object.freeze(datasets) as Datasets;
}
