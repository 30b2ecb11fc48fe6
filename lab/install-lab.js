/** Installs the lab's packages if they are missing or differ from its lock file. */

import { fileURLToPath } from 'node:url';
import { installPackages } from '../scripts/install-packages.js';

const folder = new URL('.', import.meta.url);

export const installLab = () => installPackages(folder, 'the lab');

if (process.argv[1] === fileURLToPath(import.meta.url)) installLab();
