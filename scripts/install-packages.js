/** Installs the packages of a folder with its own lock file, if they are missing or differ from that file. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const tests = new URL('../test/', import.meta.url);

/** A copy, beside the packages, of the lock file that they were installed from. */
const installedName = 'node_modules/installed-lock.json';

/** @param {URL} folder */
function isInstalled(folder) {
  const installed = new URL(installedName, folder);
  const wanted = new URL('package-lock.json', folder);
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8');
}

/**
 * @param {URL} folder
 * @param {string} users of the packages, for the message
 */
export function installPackages(folder, users) {
  if (isInstalled(folder)) return;
  console.error(`Installing the packages of ${users} once.`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  // A shell finds npm.cmd on Windows.
  const options = { cwd: fileURLToPath(folder), shell: process.platform === 'win32' };
  const { status } = spawnSync('npm', args, { ...options, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm could not install the packages of ${users}.`);
  copyFileSync(new URL('package-lock.json', folder), new URL(installedName, folder));
}

/** Clients and programs that only tests use, in `test/node_modules`: a start does not need them. */
export function installTestPackages() {
  installPackages(tests, 'the tests');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installTestPackages();
