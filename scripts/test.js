/**
 * Runs the tests. `npm cit`, and CI, run every check and every test; `npm test` runs those of rules and of
 * services in memory, which need no build and no other program. Arguments go to vitest:
 * `npm test -- test/auth`.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const runsEverything = process.env.npm_command === 'install-ci-test' || Boolean(process.env.CI);

console.log(
  runsEverything
    ? 'Running every check and every test.'
    : 'Running the tests of rules and of services in memory. Every check and test: npm cit, or npm run check.',
);
const [command, args] = runsEverything
  ? ['npm', ['run', '--silent', 'check', '--', ...process.argv.slice(2)]]
  : [
      'npx',
      ['vitest', 'run', '--project', 'memory', '--project', 'heap', ...process.argv.slice(2)],
    ];
const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
