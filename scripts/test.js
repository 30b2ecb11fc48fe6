/**
 * Runs the tests. `npm cit`, and CI, run every check and the tests of all projects. `npm test` runs
 * the tests of rules and of services in memory, which need no build and no other program, without
 * the slow files. Arguments go to vitest: `npm test -- test/auth`.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const runsEverything = process.env.npm_command === 'install-ci-test' || Boolean(process.env.CI);

console.log(
  runsEverything
    ? 'Running every check and the tests; of the slow files, the tenth that the seed chooses; in CI two of them.'
    : 'Running the quick tests of rules and of services in memory. For all checks and tests, use npm cit or npm run check.',
);
const [command, args] = runsEverything
  ? ['npm', ['run', '--silent', 'check', '--', ...process.argv.slice(2)]]
  : ['npx', ['vitest', 'run', '--project', 'memory', ...process.argv.slice(2)]];
const env = runsEverything ? process.env : { ...process.env, PRACTICE_SLOW: 'none' };
const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
process.exitCode = status ?? 1;
