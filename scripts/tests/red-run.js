/**
 * Keeps which test files failed and with which seed, in the file that PRACTICE_RED_RUN names, until they pass with the same
 * seed. `npm test`, `npm cit` and `npm run check` set it and run those files first.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The build leaves it in its folder of compiled code, and `npm ci` does not remove it. */
export const usualRedRun = join(root, '.cache/red-run.json');

/**
 * @typedef {object} RedFile
 * @property {string} file Its path from the root
 * @property {string} project
 * @property {string} seed
 */

/**
 * Returns the recorded files that still exist.
 *
 * @param {string} path
 * @returns {RedFile[]}
 */
export function readRedRun(path) {
  if (!existsSync(path)) return [];
  /** @type {RedFile[]} */
  const files = JSON.parse(readFileSync(path, 'utf8'));
  return files.filter(({ file }) => existsSync(join(root, file)));
}

/**
 * Adds the files that failed, and removes those that passed with the seed with which they had failed.
 *
 * @param {string} path
 * @param {string} seed
 * @param {readonly {file: string, project: string, state: string}[]} results
 */
export function recordRun(path, seed, results) {
  const keyOf = (/** @type {{file: string, project: string}} */ { file, project }) =>
    `${project} ${file}`;
  const red = new Map(readRedRun(path).map((entry) => [keyOf(entry), entry]));
  for (const { file, project, state } of results) {
    const key = keyOf({ file, project });
    if (state === 'failed') red.set(key, { file, project, seed });
    if (state === 'passed' && red.get(key)?.seed === seed) red.delete(key);
  }
  if (red.size === 0) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify([...red.values()], null, 2)}\n`);
}

/**
 * Returns the runs that repeat what failed, one for each seed.
 *
 * @param {readonly RedFile[]} red
 * @returns {{seed: string, args: string[]}[]} Arguments of vitest
 */
export function repetitionsOf(red) {
  return [...new Set(red.map(({ seed }) => seed))].map((seed) => {
    const own = red.filter((entry) => entry.seed === seed);
    const projects = new Set(own.map(({ project }) => project));
    const files = new Set(own.map(({ file }) => file));
    const args = [...projects].flatMap((project) => ['--project', project]);
    return { seed, args: [...args, '--passWithNoTests', ...files] };
  });
}
