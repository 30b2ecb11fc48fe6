/**
 * Reads and writes the sections of documents that commands fill with figures, each between two
 * comments.
 */

import { readFileSync, writeFileSync } from 'node:fs';

/** @param {string} document Its path from the root of the project */
const fileOf = (document) => new URL(`../${document}`, import.meta.url);

/**
 * @param {string} document
 * @param {string} name
 */
export function readSection(document, name) {
  const whole = readFileSync(fileOf(document), 'utf8');
  const { start, stop } = findSection(whole, name);
  return whole.slice(start, stop);
}

/**
 * Writes nothing in a run that is stopped early (PRACTICE_BUDGET): its figures are of no use.
 *
 * @param {string} document
 * @param {string} name
 * @param {string} text
 */
export function writeSection(document, name, text) {
  if (process.env.PRACTICE_BUDGET !== undefined) return;
  const file = fileOf(document);
  writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), name, text));
}

/**
 * Replaces a section in the text of a document.
 *
 * @param {string} whole
 * @param {string} name
 * @param {string} text
 */
export function replaceSection(whole, name, text) {
  const { start, stop } = findSection(whole, name);
  return `${whole.slice(0, start)}${text}\n${whole.slice(stop)}`;
}

/**
 * @param {string} whole
 * @param {string} name
 */
function findSection(whole, name) {
  const begin = `<!-- ${name} -->\n`;
  const start = whole.indexOf(begin) + begin.length;
  const stop = whole.indexOf(`<!-- end of ${name} -->`);
  if (!whole.includes(begin) || stop < start) throw new Error(`There is no section ${name}.`);
  return { start, stop };
}
