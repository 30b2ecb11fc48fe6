/** Finds the test files that changed files reach, by imports and by a table of what imports do not show. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importsIn } from '../import-graph.js';
import { areas, filesIn } from './test-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Assembles all areas. Every test of a service imports it, so an import through it would let each change reach each test.
 */
const assembly = 'src/service.ts';

/**
 * The folders of tests that a change reaches, by the beginning of its path, whatever they import. They start built
 * programs, read built files, or send requests to a whole service. `areas with state` are the tests before replicas.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const reachOfFolders = {
  'scripts/release/': ['test/forge'],
  'src/accounts/': ['test/accounts', 'test/site'],
  'src/app/': ['test/wire', 'test/operations', 'test/hosting'],
  'src/base/': ['test/process'],
  'src/config/': ['test/process', 'test/operations'],
  'src/data/': ['test/data', 'test/graphql'],
  'src/defects/': ['test/bugs'],
  'src/describe/': ['test/openapi', 'test/downloads', 'test/docs'],
  'src/faults/': ['test/sandbox', 'test/clients'],
  'src/http/': ['test/fuzz', 'test/wire', 'test/growth'],
  'src/json-schema/': ['src/json-schema', 'test/openapi'],
  'src/kit/': ['test/wire', 'test/structure'],
  'src/listen/': ['test/deliveries', 'test/process/killed-deliveries'],
  'src/kit/pages/': ['test/browser', 'test/site', 'test/guides'],
  'src/program/': ['test/process'],
  'src/site/': ['test/browser', 'test/site', 'test/guides'],
  'src/state/': ['src/state', 'test/state', 'test/shared-state', 'areas with state'],
  'src/state/file/': [
    'src/state',
    'test/state',
    'test/process/state-file',
    'test/process/killed-class',
  ],
  'src/stdio/': ['test/process'],
  'src/wire/': ['src/wire', 'test/fuzz', 'test/wire', 'test/hosting', 'test/tls'],
  'src/wire/http2/': ['src/wire', 'test/clients/http2', 'test/fuzz', 'test/wire', 'test/tls'],
  'src/': ['test/process', 'test/structure'],
  'pages/': ['test/browser', 'test/site', 'test/guides'],
  'docs/': ['test/docs', 'test/guides', 'test/site'],
  'docs/contributing/': ['test/docs'],
  'examples/': ['test/examples', 'test/test-clients'],
  'clients/': ['test/test-clients'],
  'data/': ['test/data', 'test/graphql', 'test/openapi'],
  'deploy/': ['test/hosting', 'test/operations'],
  'lab/': ['test/hostile', 'test/fuzz'],
  'lab/llm/': ['test/clients/llm', 'test/llm'],
  'lab/mcp/': ['test/clients/mcp', 'test/mcp'],
  'scripts/': ['test/process', 'test/structure'],
  'scripts/guides/': ['test/guides', 'test/site'],
  'scripts/site/': ['test/site'],
  'scripts/build-site.js': ['test/site'],
  'test/openapi/': ['test/downloads', 'test/clients/snippets'],
  Dockerfile: ['test/hosting'],
  'README.md': ['test/docs'],
  'package.json': ['test/process', 'test/structure'],
  'package-lock.json': ['test/process', 'test/structure'],
  'test/package-lock.json': ['test/clients', 'test/browser'],
  'schema.graphql': ['test/graphql'],
};

/**
 * Returns the beginnings of the paths of the tests that a changed file reaches by the table: by its longest entry,
 * and for an area the folder and the files of its name. Not every file has any.
 *
 * @param {string} file
 * @returns {readonly string[]}
 */
export function reachByTable(file) {
  const [, , area = ''] = file.startsWith('src/areas/') ? file.split('/') : [];
  if (areas.includes(area)) {
    const named = ['clients', 'browser'].map((folder) => `test/${folder}/${area}`);
    return [`test/${area}/`, `src/areas/${area}/`, ...named];
  }
  const [longest = ''] = Object.keys(reachOfFolders)
    .filter((each) => file.startsWith(each))
    .sort((a, b) => b.length - a.length);
  return reachOfFolders[longest] ?? [];
}

/** The distance of a test that imports the changed file. */
const distanceByTable = 1;

/**
 * Returns the test files that the changed files reach, each with its distance: 0 for a changed test, otherwise the number of
 * imports in between.
 *
 * @param {readonly string[]} changed Paths from the root
 * @param {readonly string[]} tests
 * @returns {Map<string, number>}
 */
export function reachOf(changed, tests) {
  if (changed.length === 0) return new Map();
  const distances = distancesFrom(changed);
  const prefixes = [...new Set(changed.flatMap(reachByTable))];
  /** @type {Map<string, number>} */
  const reached = new Map();
  for (const test of tests) {
    const byImports = distances.get(test) ?? Number.POSITIVE_INFINITY;
    const isInTable = prefixes.some((prefix) => test.startsWith(prefix));
    const distance = isInTable ? Math.min(byImports, distanceByTable) : byImports;
    if (distance < Number.POSITIVE_INFINITY) reached.set(test, distance);
  }
  return reached;
}

/**
 * Whether a change may reach all areas with state.
 *
 * @param {readonly string[]} changed
 */
export const reachesState = (changed) =>
  changed.some((file) => reachByTable(file).includes('areas with state'));

/** @type {Map<string, Set<string>> | undefined} */
let importers;

/**
 * Follows the imports from the changed files to their importers, but not through the assembly of the service.
 *
 * @param {readonly string[]} changed
 */
function distancesFrom(changed) {
  importers ??= readImporters();
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map is iterated in the order of insertion, also over what is added meanwhile.
  for (const [file, distance] of distances) {
    if (file === assembly && distance > 0) continue;
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  return distances;
}

/** Returns for each file the files that import it, by any kind of import or as a URL. */
function readImporters() {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const file of ['src', 'test', 'scripts', 'lab', 'pages'].flatMap(filesIn)) {
    if (!/\.(?:ts|js|mjs)$/.test(file)) continue;
    const text = readFileSync(`${root}${file}`, 'utf8');
    for (const target of importsIn(file, text)) {
      for (const name of [target, target.replace(/js$/, 'ts')]) {
        const known = found.get(name) ?? new Set();
        found.set(name, known.add(file));
      }
    }
  }
  return found;
}
