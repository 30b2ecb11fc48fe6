/** Writes what a command has measured into the section of a document that is kept for it. */

import { readFileSync, writeFileSync } from 'node:fs';

/**
 * @param {string} document Its path from the root of the project
 * @param {string} name Of the section, which stands between two comments of that name
 * @param {string} text
 */
export function writeSection(document, name, text) {
  const file = new URL(`../${document}`, import.meta.url);
  const begin = `<!-- ${name} -->`;
  const end = `<!-- end of ${name} -->`;
  const whole = readFileSync(file, 'utf8');
  const start = whole.indexOf(begin);
  const stop = whole.indexOf(end);
  if (start < 0 || stop < start) throw new Error(`${document} has no place for ${name}.`);
  writeFileSync(file, `${whole.slice(0, start)}${begin}\n${text}\n${whole.slice(stop)}`);
}
