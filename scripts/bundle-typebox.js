/**
 * Puts what the service uses of TypeBox into one file, `dist/vendor/typebox.js`, and points the built
 * modules to it. As published it is hundreds of small modules: loading them takes longer than all the
 * rest of the start, and ten times the memory that is needed.
 */

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const bundle = join(dist, 'vendor', 'typebox.js');
const entry = 'practice-api:typebox';

export async function bundleTypebox() {
  await build({
    input: { typebox: entry },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        // Resolved as the sources resolve it.
        load: (id) => (id === entry ? "export { Type } from 'typebox';" : null),
      },
    ],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    platform: 'node',
    output: { file: bundle, format: 'esm' },
  });
  const license = new URL('../license', import.meta.resolve('typebox'));
  copyFileSync(license, join(dist, 'vendor', 'typebox.license'));

  for (const name of readdirSync(dist, { recursive: true })) {
    const file = join(dist, String(name));
    if (!file.endsWith('.js') || file === bundle || String(name).startsWith('pages')) continue;
    const code = readFileSync(file, 'utf8');
    const path = relative(dirname(file), bundle).split(sep).join('/');
    const specifier = path.startsWith('.') ? path : `./${path}`;
    const pointed = code.replaceAll("from 'typebox'", `from '${specifier}'`);
    if (pointed !== code) writeFileSync(file, pointed);
  }
}
