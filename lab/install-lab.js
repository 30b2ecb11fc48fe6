/** Installs the lab's packages if they are missing or differ from its lock file. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = new URL('package-lock.json', import.meta.url);
/** The lock file of the installed packages. */
const installed = new URL('node_modules/installed-lock.json', import.meta.url);

export function isLabInstalled() {
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8');
}

export function installLab() {
  if (isLabInstalled()) return;
  console.error("Installing the lab's packages into lab/node_modules, once.");
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm could not install the packages of the lab.');
  copyFileSync(wanted, installed);
}
