/**
 * `npm run coverage`: measures which parts of `src/` the tests reach, slow files included.
 * Arguments go to vitest.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installLab } from '../install-lab.js';

installLab();
const root = fileURLToPath(new URL('../../', import.meta.url));
// vitest searches its provider only among the packages of the project.
const provider = fileURLToPath(
  new URL('../node_modules/@vitest/coverage-v8/dist/index.js', import.meta.url),
);
const args = ['vitest', 'run', '--coverage.enabled', '--coverage.provider=custom'];
args.push(`--coverage.customProviderModule=${provider}`, ...process.argv.slice(2));
const env = { ...process.env, PRACTICE_WHOLE: '1' };
const { status } = spawnSync('npx', args, { cwd: root, stdio: 'inherit', env });
process.exitCode = status ?? 1;
