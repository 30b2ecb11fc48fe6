/** Rebuilds and restarts on every change of a source: `npm run dev`. Flags go to the service. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, compiler } from './build.js';

const root = fileURLToPath(new URL('..', import.meta.url));

await build();
const children = [
  [compiler, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  ['scripts/bundle-service.js', '--watch'],
  ['scripts/build-pages.js', '--watch'],
  ['scripts/build-guides.js', '--watch'],
  // Without kept code: Node watches only files that it loads itself.
  ['--watch', '--watch-preserve-output', 'dist/main.cjs', ...process.argv.slice(2)],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));

for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill();
    process.exitCode = code ?? 0;
  });
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
