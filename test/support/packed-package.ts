/** The package as users get it: packed, and installed in an empty project. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Packs the build, and returns the path of the tarball. */
export function packPackage(folder: string): string {
  // The build is already there; its own step made it.
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  execFileSync('npm', args, { cwd: root });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
}

export interface Installed {
  readonly program: string;
  /** The output of npm. */
  readonly output: string;
  /** The paths of all packages that were installed. */
  readonly packages: readonly string[];
}

/** Installs a tarball in a new project, with npm in the given Node. Throws where a package rejects this Node. */
export function installPacked(tarball: string, folder: string, node = process.execPath): Installed {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--engine-strict'];
  const args = [npm, 'install', ...flags, '--loglevel', 'warn', tarball];
  const { stdout, stderr, status } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm could not install the package: ${stdout}${stderr}`);
  const lock = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  return {
    program: join(folder, 'node_modules/.bin/practice-api'),
    output: stdout + stderr,
    packages: Object.keys(JSON.parse(lock).packages),
  };
}
