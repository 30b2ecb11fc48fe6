/**
 * Checks the package as npm would publish it: `npm run package-check`. publint looks at its files,
 * arethetypeswrong at its types as importers on each module resolution see them.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-package-'));

try {
  // The build has just been made; packing must not make it again.
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]);
  const [tarball = ''] = readdirSync(folder);
  run('npx', ['publint', 'run', '--strict', join(folder, tarball)]);
  run('npx', ['attw', '--profile', 'esm-only', '--no-emoji', join(folder, tarball)]);
} catch {
  // The tool has said what is wrong.
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}
