/**
 * Runs the tests. `npm cit`, and CI, run every check and the tests of all projects. `npm test` runs
 * the tests of rules and of services in memory, which need no build and no other program, without
 * the slow files. Arguments go to vitest: `npm test -- test/auth`.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runTests } from './tests/run-tests.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const runsChecks = process.env.npm_command === 'install-ci-test' || Boolean(process.env.CI);

if (runsChecks) {
  const part = 'what is fast, what changes reach, and a part of the rest in turn';
  const all = process.env.PRACTICE_WHOLE !== undefined;
  console.log(`Running every check and the tests: ${all ? 'all of them' : part}.`);
  const check = ['run', '--silent', 'check', '--', ...args];
  process.exitCode = spawnSync('npm', check, { cwd: root, stdio: 'inherit' }).status ?? 1;
} else {
  console.log(
    'Running the quick tests of rules and of services in memory. For all checks and tests, use npm cit or npm run check.',
  );
  process.exitCode = runTests(['--project', 'memory', ...args], {
    environment: { ...process.env, PRACTICE_SLOW: 'none' },
    projects: ['memory'],
  });
}
