/** Lists the test files of each project of vitest. The folder of a file decides. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Measured of a heap that no other file has used. */
const inOwnHeap = ['src/state/rows/heap-bytes.test.ts', 'src/areas/data/own/own-heap.slow.test.ts'];
const needsServerOfState = /^src\/.*\/redis-[^/]*$/;
/** The proxy of the replicas sends the addresses of clients. */
const byAddress = 'test/accounts/sign-up-limits.test.ts';
/**
 * Thousands of random cases are about the rules, and bytes on a connection about a service that keeps nothing of them: both
 * are the same wherever the state is.
 */
const sameInEveryState = /\.(?:property|wire)\.test\.ts$/;

/** An area's tests over HTTP are in the folder of its name. */
export const areas = readdirSync(`${root}src/areas`).filter((area) =>
  existsSync(`${root}test/${area}`),
);
/** Folders of `test/` that are no area's, and whose tests run in memory. */
const othersInMemory = ['wire', 'growth', 'bounds'];
/** Only what an area keeps in the state can differ by where that is. */
const areasWithState = new Set(areas.filter(keepsState));

/** @param {string} file */
export const isSlow = (file) => file.includes('.slow.');

/**
 * The projects, in the order in which they run: those that wait for programs first, so that no long file remains at the
 * end. `memory` needs nothing that is built or installed; `later` is what keeps something, over a state in memory that
 * never responds at once, which shows a missing `await`; `package` has the built package, its documents and pages, and the
 * programs that use it; `redis` is what cannot be shown by replicas; `replicas` are two services over one Redis, behind a
 * proxy that alternates between them.
 */
export const projectNames = /** @type {const} */ ([
  'package',
  'replicas',
  'redis',
  'heap',
  'later',
  'memory',
]);

/**
 * @typedef {(typeof projectNames)[number]} ProjectName
 * @typedef {Readonly<Record<ProjectName, readonly string[]>>} FilesByProject
 */

/**
 * Returns all test files of each project. The files of `replicas` run in `later` and in memory, too.
 *
 * @returns {FilesByProject}
 */
export function testFiles() {
  const files = ['src', 'test'].flatMap(testFilesIn);
  const isStored = (/** @type {string} */ file) =>
    areasWithState.has(folderOf(file)) && !sameInEveryState.test(file) && file !== byAddress;
  const stored = files.filter(isStored);
  return {
    package: files.filter((file) => projectOf(file) === 'package'),
    replicas: stored,
    later: stored,
    redis: [byAddress],
    heap: inOwnHeap,
    memory: files.filter((file) => projectOf(file) === 'memory'),
  };
}

/** @param {string} file */
function projectOf(file) {
  if (inOwnHeap.includes(file)) return 'heap';
  if (file.startsWith('src/')) return needsServerOfState.test(file) ? 'package' : 'memory';
  return [...areas, ...othersInMemory].includes(folderOf(file)) ? 'memory' : 'package';
}

/**
 * The folder of `test/` that a file is in; empty for other files.
 *
 * @param {string} file
 */
export function folderOf(file) {
  const [top, folder = '', ...rest] = file.split('/');
  return top === 'test' && rest.length > 0 ? folder : '';
}

/** @param {string} folder */
function testFilesIn(folder) {
  return filesIn(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
}

/**
 * Returns the paths of the files below a folder, without installed packages.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function filesIn(folder) {
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : path;
  });
}

/**
 * Whether its sources change anything in a sandbox.
 *
 * @param {string} area
 */
function keepsState(area) {
  return filesIn(`src/areas/${area}`).some(
    (file) =>
      file.endsWith('.ts') &&
      /from '(?:#|(?:\.\.\/)+)state\//.test(readFileSync(`${root}${file}`, 'utf8')),
  );
}
