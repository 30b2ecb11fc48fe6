/** Installs the lab's own packages. */

import { installPackages } from '../scripts/install-packages.js';

const folder = new URL('.', import.meta.url);

export const installLab = () => installPackages(folder, 'the lab');
