/**
 * Moves everything under *Unreleased* in CHANGELOG.md into a section for the version of package.json. `npm version`
 * runs it after it has changed the version and before it commits.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Throws if nothing is unreleased.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} day such as 2027-01-31
 */
export function closeChangelog(changelog, version, day) {
  const title = '## Unreleased\n';
  const [before = '', after] = changelog.split(title);
  const [changes = ''] = after?.split(/^## /m) ?? [];
  if (after === undefined || changes.trim() === '') {
    throw new Error('CHANGELOG.md has no changes under Unreleased.');
  }
  return `${before}${title}\n## ${version} – ${day}\n${after}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('../../CHANGELOG.md', import.meta.url);
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(file, closeChangelog(readFileSync(file, 'utf8'), version, day));
}
