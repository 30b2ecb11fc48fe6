/** Writes what a command has measured into the section of a document that is kept for it. */

import { readFileSync, writeFileSync } from 'node:fs';

/**
 * What a section of a document says.
 *
 * @param {string} document Its path from the root of the project
 * @param {string} name Of the section
 */
export function readSection(document, name) {
  const { whole, start, stop } = findSection(document, name);
  return whole.slice(start, stop);
}

/**
 * @param {string} document Its path from the root of the project
 * @param {string} name Of the section, which stands between two comments of that name
 * @param {string} text
 */
export function writeSection(document, name, text) {
  const { file, whole, start, stop } = findSection(document, name);
  writeFileSync(file, `${whole.slice(0, start)}${text}\n${whole.slice(stop)}`);
}

/**
 * @param {string} document
 * @param {string} name
 */
function findSection(document, name) {
  const file = new URL(`../${document}`, import.meta.url);
  const begin = `<!-- ${name} -->\n`;
  const whole = readFileSync(file, 'utf8');
  const start = whole.indexOf(begin) + begin.length;
  const stop = whole.indexOf(`<!-- end of ${name} -->`);
  if (!whole.includes(begin) || stop < start)
    throw new Error(`${document} has no place for ${name}.`);
  return { file, whole, start, stop };
}
