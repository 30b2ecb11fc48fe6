/** Reads the sample datasets, which never change, from the JSON files beside the package. */

import { readFileSync } from 'node:fs';
import { packageFolder } from '../package-folder.js';
import { freezeDeeply } from './freeze-deeply.js';
import type { Datasets } from './records.js';

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
  const loaded: { -readonly [Name in keyof Datasets]?: Datasets[Name] } = {};

  function load<Name extends keyof Datasets>(name: Name): Datasets[Name] {
    const records = loaded[name] ?? readRecords<Name>(new URL(`${name}.json`, directory));
    loaded[name] = records;
    return records;
  }

  return Object.freeze({
    get users() {
      return load('users');
    },
    get products() {
      return load('products');
    },
    get posts() {
      return load('posts');
    },
    get todos() {
      return load('todos');
    },
    get employees() {
      return load('employees');
    },
    get companies() {
      return load('companies');
    },
    get books() {
      return load('books');
    },
    get movies() {
      return load('movies');
    },
    get countries() {
      return load('countries');
    },
    get people() {
      return load('people');
    },
    get events() {
      return load('events');
    },
    get albums() {
      return load('albums');
    },
    get photos() {
      return load('photos');
    },
    get items() {
      return load('items');
    },
  });
}

function readRecords<Name extends keyof Datasets>(file: URL): Datasets[Name] {
  return freezeDeeply(JSON.parse(readFileSync(file, 'utf8')) as Datasets[Name]);
}
