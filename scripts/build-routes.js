/** Writes the endpoints of areas that load late into `dist/texts/routes.json`, so that a start need not load them. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = new URL('../dist/', import.meta.url);
const to = new URL('texts/routes.json', dist);

// The list would be used to make the list.
rmSync(to, { force: true });
const program = fileURLToPath(new URL('list-routes.js', dist));
const listed = execFileSync(process.execPath, [program], { encoding: 'utf8' });
mkdirSync(new URL('texts/', dist), { recursive: true });
writeFileSync(to, listed.trim());
for (const name of ['list-routes.js', 'list-routes.cjs', 'list-routes.cjs.lines.json']) {
  rmSync(new URL(name, dist), { force: true });
}
