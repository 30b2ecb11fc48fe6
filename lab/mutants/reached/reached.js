/** Knows which test files execute which functions of the service, as one run of all fast tests in memory has shown. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, isSlow, testFiles } from '../../../scripts/tests/test-files.js';
import { bodiesIn, functionAt } from './functions.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** @typedef {Readonly<Record<string, readonly number[]>>} Functions Numbers of functions, by their file */

export class Reached {
  /** @type {Map<string, ReturnType<typeof bodiesIn>>} By file */
  #bodies = new Map();
  #functions;

  /** @param {ReadonlyMap<string, Functions>} functions of each test file that was recorded */
  constructor(functions) {
    this.#functions = functions;
  }

  /**
   * Returns whether a test file may notice a change: it executes the changed function, or it was not recorded. What is outside
   * of functions is executed by all. Over a state that responds later, other functions of the same file may run, so there it is
   * enough that the test executes one of the file.
   *
   * @param {string} project
   * @param {string} test
   * @param {{file: string, edit: {start: number, end: number}}} mutant
   */
  mayNotice(project, test, { file, edit }) {
    const functions = this.#functions.get(test);
    if (functions === undefined || !['memory', 'later'].includes(project)) return true;
    const number = functionAt(this.#bodiesOf(file), edit);
    if (number === undefined) return true;
    const own = functions[file] ?? [];
    return project === 'later' ? own.length > 0 : own.includes(number);
  }

  /** @param {string} file */
  #bodiesOf(file) {
    const known = this.#bodies.get(file);
    if (known !== undefined) return known;
    const bodies = bodiesIn(file, readFileSync(join(root, file), 'utf8'));
    this.#bodies.set(file, bodies);
    return bodies;
  }
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
