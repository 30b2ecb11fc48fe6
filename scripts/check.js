/**
 * Runs all checks in parallel, then the tests that `scripts/tests/select-tests.js` selects; arguments
 * go to vitest. The output of a check is printed when it has ended.
 */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installTestPackages } from './install-packages.js';
import { runTests } from './tests/run-tests.js';

const root = fileURLToPath(new URL('..', import.meta.url));

installTestPackages();

const statuses = await Promise.all([
  runInOrder(['lint', 'types', 'dead-code']),
  runInOrder(['build', 'package-check']),
]);
if (statuses.some((status) => status !== 0)) process.exit(1);
process.exitCode = runTests(process.argv.slice(2));

/** @param {readonly string[]} names of scripts; a failure skips the rest */
async function runInOrder(names) {
  for (const name of names) {
    const status = await run(name);
    if (status !== 0) return status;
  }
  return 0;
}

/**
 * @param {string} name
 * @returns {Promise<number>} its exit status
 */
function run(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', name], { cwd: root });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('close', (status) => {
      process.stdout.write(`${name}: ${status === 0 ? 'passed' : 'FAILED'}\n${output}`);
      resolve(status ?? 1);
    });
  });
}
