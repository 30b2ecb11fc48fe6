/** Runs vitest: first what failed before, with its seed, then the tests that the run selects. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readRedRun, repetitionsOf, usualRedRun } from './red-run.js';
import { modeOf } from './select-tests.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the exit status. A repetition that fails is the end of the run. If the arguments name files, only those run.
 *
 * @param {readonly string[]} args of vitest
 * @param {object} [options]
 * @param {Readonly<Record<string, string | undefined>>} [options.environment]
 * @param {readonly string[]} [options.projects] Projects of which failed files are repeated; all if missing
 * @returns {number}
 */
export function runTests(args, { environment = process.env, projects } = {}) {
  const env = { ...environment, PRACTICE_RED_RUN: environment.PRACTICE_RED_RUN ?? usualRedRun };
  const red = readRedRun(env.PRACTICE_RED_RUN).filter(
    ({ project }) => projects?.includes(project) ?? true,
  );
  const repetitions = modeOf({}, args) === 'whole' ? [] : repetitionsOf(red);
  for (const { seed, args: repeated } of repetitions) {
    console.log(`Repeating what failed before, with PRACTICE_SEED=${seed}.`);
    const status = runVitest(repeated, { ...env, PRACTICE_SEED: seed });
    if (status !== 0) return status;
  }
  return runVitest(args, env);
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function runVitest(args, env) {
  const options = /** @type {const} */ ({ cwd: root, stdio: 'inherit' });
  return spawnSync('npx', ['vitest', 'run', ...args], { ...options, env }).status ?? 1;
}
