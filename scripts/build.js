/** Builds `dist/` from `src/`: `npm run build`. */

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The compiler's program; its package exports no path to it. */
export const compiler = fileURLToPath(
  new URL('bin/tsc', import.meta.resolve('typescript/package.json')),
);

export function build() {
  rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    build();
  } catch {
    // The compiler has said what is wrong.
    process.exit(1);
  }
}
