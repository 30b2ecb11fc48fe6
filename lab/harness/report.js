/** Formats figures, and writes them into pages with where they are from. */

import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { writeSection } from '../../scripts/write-section.js';

const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;

/**
 * Writes figures into a section of a page, below where they are from, which `test/docs/figures.test.ts` requires.
 *
 * @param {string} document
 * @param {string} section
 * @param {string} command
 * @param {string} figures
 */
export function writeFigures(document, section, command, figures) {
  writeSection(document, section, `${originOf(command)}\n\n${figures}`);
}

/**
 * Returns where figures are from: the command with its arguments, the commit, the date, the machine.
 *
 * @param {string} command
 */
export function originOf(command) {
  const given = process.argv.slice(2).filter((argument) => argument !== '--write');
  const whole = given.length === 0 ? command : `${command} -- ${given.join(' ')}`;
  return `\`${whole}\` at ${commitOf()} on ${new Date().toISOString().slice(0, 10)}. ${machine}.`;
}

/** Returns the short name of the commit, and whether files of the service differ from it. */
function commitOf() {
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
  const isChanged = git('status', '--porcelain', '--', 'src', 'data', 'pages') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD') || 'an unknown commit'}${isChanged ? ' with changes' : ''}`;
}

/**
 * Writes a table, whose columns are right-aligned if the heading ends with a colon.
 *
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 */
export function table(headings, rows) {
  const names = headings.map((heading) => heading.replace(/:$/, ''));
  const lines = headings.map((heading) => (heading.endsWith(':') ? '---:' : '---'));
  return [row(names), row(lines), ...rows.map(row)].join('\n');
}

/** @param {readonly string[]} cells */
export function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param {readonly (readonly string[])[]} rows */
export const figureTable = (rows) => table(['what', 'figure:'], rows);
