/** The Markdown texts that the documentation's tests read. */

import { readdirSync, readFileSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

const pages = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .sort();

/** Texts by path from the root of the project. */
export const texts: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'examples/README.md',
  ...pages,
];

export function readText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
