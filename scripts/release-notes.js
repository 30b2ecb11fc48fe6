/** Prints what the changelog says about a version, as the notes of its release: `node scripts/release-notes.js 1.2.3`. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} changelog
 * @param {string} version
 */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.startsWith(`${version} – `));
  if (found === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  const notes = found.slice(found.indexOf('\n')).trim();
  if (notes === '') throw new Error(`The section for ${version} in CHANGELOG.md is empty.`);
  return notes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
  console.log(releaseNotes(changelog, process.argv[2] ?? ''));
}
