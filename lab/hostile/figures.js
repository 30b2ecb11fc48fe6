/** Writes the table of attack costs in docs/robustness.md. */

import { table } from '../harness/report.js';

const headings = [
  ...['attack', 'service', '`/health`, p95 of the worst 2 s:', 'longest block:'],
  ...['memory over idle:', 'still counted 10 s after', ''],
];
const borne = '| borne |';

/**
 * Merges the rows of a run into the rows of an earlier run, in the order of the attacks.
 *
 * @param {readonly string[]} names Of all attacks
 * @param {string} before The table of an earlier run; empty if the run measured everything
 * @param {readonly string[]} rows
 */
export function figuresOf(names, before, rows) {
  /** @type {Map<string, string>} By attack and service */
  const byAttack = new Map();
  const kept = before.split('\n').filter((line) => names.includes(nameOf(line)));
  for (const row of [...kept, ...rows]) byAttack.set(row.split(' | ', 2).join(), row);
  const place = (/** @type {string} */ row) => names.indexOf(nameOf(row));
  const all = [...byAttack.values()].sort((a, b) => place(a) - place(b));
  const count = all.filter((row) => row.endsWith(borne)).length;
  const head = table(headings, []);
  return [`${all.length} attacks, of which ${count} were borne.`, '', head, ...all].join('\n');
}

/** @param {string} row */
function nameOf(row) {
  return row.slice('| '.length).split(' | ', 1)[0] ?? '';
}
