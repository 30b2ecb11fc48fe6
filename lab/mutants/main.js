/** `npm run mutants`: runs Stryker as `stryker.config.js` says, and puts its counts into docs/robustness.md. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installLab } from '../install-lab.js';
import { recordMutants } from './record-mutants.js';

installLab();
const root = fileURLToPath(new URL('../../', import.meta.url));
const program = 'lab/node_modules/@stryker-mutator/core/bin/stryker.js';
const args = [program, 'run', 'lab/mutants/stryker.config.js'];
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
if (status === 0) recordMutants();
else process.exitCode = 1;
