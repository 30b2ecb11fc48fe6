/** Knows which test files execute which functions of the service, as one run of all fast tests in memory has shown. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, isSlow, testFiles } from '../../../scripts/tests/test-files.js';
import { constantAt, usersOf } from './constants.js';
import { bodiesIn, functionAt } from './functions.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/**
 * @typedef {Readonly<Record<string, readonly number[]>>} Functions Numbers of functions, by their file
 *
 * @typedef {{file: string, edit: {start: number, end: number}}} Change
 */

export class Reached {
  /** @type {Map<Change, ReturnType<typeof affectedBy>>} */
  #affected = new Map();
  #functions;

  /** @param {ReadonlyMap<string, Functions>} functions of each test file that was recorded */
  constructor(functions) {
    this.#functions = functions;
  }

  /**
   * Returns whether a test file may notice a change: it executes a function that the change is about, or it was not recorded.
   * Over a state that responds later, other functions of the same files may run, so there it is enough that the test executes
   * one of a file.
   *
   * @param {string} project
   * @param {string} test
   * @param {Change} change
   */
  mayNotice(project, test, change) {
    const functions = this.#functions.get(test);
    if (functions === undefined || !['memory', 'later'].includes(project)) return true;
    const affected = this.#affectedBy(change);
    if (affected === undefined) return true;
    return [...affected].some(([file, numbers]) => {
      const own = functions[file] ?? [];
      return project === 'later' ? own.length > 0 : own.some((number) => numbers.has(number));
    });
  }

  /** @param {Change} change */
  #affectedBy(change) {
    if (!this.#affected.has(change)) this.#affected.set(change, affectedBy(change));
    return this.#affected.get(change);
  }
}

/**
 * Returns the functions that a change is about, by file: the changed one, or those that use a changed constant. Returns
 * `undefined` if a module itself is changed, which each test that imports it executes.
 *
 * @param {Change} change
 * @returns {ReadonlyMap<string, ReadonlySet<number>> | undefined}
 */
export function affectedBy({ file, edit }) {
  const source = readFileSync(join(root, file), 'utf8');
  const number = functionAt(bodiesIn(file, source), edit);
  if (number !== undefined) return new Map([[file, new Set([number])]]);
  const constant = constantAt(file, source, edit);
  if (constant === undefined) return undefined;
  const { name, isExported } = constant;
  /** @type {Map<string, ReadonlySet<number>>} */
  const affected = new Map();
  for (const user of isExported ? [file, ...filesIn('src')] : [file]) {
    if (!user.endsWith('.ts') || user.endsWith('.test.ts') || affected.has(user)) continue;
    const text = user === file ? source : readFileSync(join(root, user), 'utf8');
    if (!text.includes(name)) continue;
    const users = usersOf(user, text, name);
    if (users === undefined) return undefined;
    affected.set(user, users);
  }
  return affected;
}

/**
 * The name of the record: other sources, tests or random cases have another.
 *
 * @param {number} seed
 */
function recordPath(seed) {
  const hash = createHash('sha256').update(`${seed}\n`);
  for (const file of ['src', 'test'].flatMap(filesIn).sort())
    if (/\.[jt]s$/.test(file)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return join(root, '.cache', `reached-${hash.digest('hex').slice(0, 16)}.jsonl`);
}

/**
 * Reads the record of these sources and tests. Runs the tests that are missing in it, each once, in its own process.
 *
 * @param {number} seed of random cases, which may reach others
 */
export function readReached(seed) {
  const path = recordPath(seed);
  mkdirSync(join(root, '.cache'), { recursive: true });
  const known = readRecord(path);
  const missing = testFiles().memory.filter((file) => !isSlow(file) && !known.has(file));
  if (missing.length > 0) {
    console.log(`Recording which functions ${missing.length} test files execute.`);
    const args = [vitest, 'run', '--config', 'lab/mutants/reached/vitest.config.ts'];
    spawnSync(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PRACTICE_SEED: String(seed),
        PRACTICE_SLOW: 'none',
        PRACTICE_REACHED: path,
        PRACTICE_REACHED_TESTS: JSON.stringify(missing),
      },
    });
  }
  return new Reached(readRecord(path));
}

/**
 * @param {string} path
 * @returns {Map<string, Functions>}
 */
function readRecord(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return new Map(
    lines
      .filter((line) => line.endsWith('}'))
      .map((line) => {
        const { file, reached } = JSON.parse(line);
        return /** @type {const} */ ([file, reached]);
      }),
  );
}
