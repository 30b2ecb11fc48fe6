/**
 * `npm run hostile [-- --short] [--only text] [--mode text] [--each n] [--seconds n] [--with folder] [--state-file] [--write]`: runs an attacker of each kind against the built service, directly and through the
 * shipped proxy, open, with accounts required, and over Redis, each against a new process with a
 * heap of 512 MiB. Exits with 1 unless the service survived all of them. `--short` tries each
 * attack briefly in one mode; each lasts `--each` seconds, and `--seconds` begins no more after so long; `--with` attacks the build of another checkout; with `--state-file` each service without Redis keeps its state in a file; `--write` puts the
 * figures into docs/robustness.md, replacing earlier ones of the same attacks.
 */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { progressOf } from '../../scripts/progress.js';
import { findHaproxy } from '../../scripts/start-proxy.js';
import { readSection } from '../../scripts/write-section.js';
import { row, writeFigures } from '../harness/report.js';
import { ourProgramFile } from '../harness/start-program.js';
import { attacks } from './attacks/all-attacks.js';
import { figuresOf } from './figures.js';
import { canRun, describeMode, modes, planAttacks, runAttack } from './run-attack.js';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [''] },
    mode: { type: 'string', default: '' },
    each: { type: 'string' },
    seconds: { type: 'string' },
    with: { type: 'string' },
    'state-file': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const isShort = values.short;
const seconds = Number(values.each ?? (isShort ? 1.5 : 8));
const endsAt = performance.now() + Number(values.seconds ?? Number.POSITIVE_INFINITY) * 1000;
const haproxy = findHaproxy();
for (const mode of modes.filter((each) => !canRun(each, haproxy))) {
  console.log(`Left out, because HAProxy or Redis is not installed: ${describeMode(mode)}.`);
}

if (values.with === undefined) await build();
const program = values.with === undefined ? ourProgramFile : resolve(values.with, 'dist/main.js');

const chosen = attacks.filter(({ name }) => values.only.some((text) => name.includes(text)));
const plan = planAttacks(chosen, {
  isShort,
  isPossible: (mode) => canRun(mode, haproxy) && describeMode(mode).includes(values.mode),
});
const everyPlan = planAttacks(attacks, { isShort: false, isPossible: () => true });
const rows = [];
let failures = 0;
let tried = 0;
const progress = progressOf('attacks', plan.length);
for (const { attack, mode } of plan) {
  if (performance.now() > endsAt) break;
  tried++;
  console.error(progress.begin(`${attack.name} (${describeMode(mode)})`));
  const hasStateFile = values['state-file'];
  const options = { program, haproxy, seconds, isShort, hasStateFile, isTimed: true };
  const verdict = await runAttack(attack, mode, options);
  const { healthP95Ms, longestBlockMs, peakMebibytes, left, complaints } = verdict;
  const isBorne = complaints.length === 0;
  if (!isBorne) failures++;
  const cells = [
    attack.name,
    describeMode(mode),
    `${healthP95Ms.toFixed(0)} ms`,
    `${longestBlockMs.toFixed(0)} ms`,
    `${peakMebibytes.toFixed(0)} MiB`,
    left,
    isBorne
      ? 'borne'
      : `**${complaints.length > 1 ? `${complaints.length} faults` : complaints[0]}**`,
  ];
  rows.push(row(cells));
  console.log(
    `${isBorne ? 'borne ' : 'FAILED'} ${attack.name} (${describeMode(mode)}): /health ${cells[2]}, block ${cells[3]}, ${cells[4]} over idle, left ${left}`,
  );
  for (const complaint of complaints) console.log(`       ${complaint}`);
}
console.log(`${tried - failures} of ${tried} attacks were borne.`);
if (values.write) {
  const names = attacks.map(({ name }) => name);
  const before = tried < everyPlan.length ? readSection('docs/robustness.md', 'hostile') : '';
  const figures = figuresOf(names, before, rows);
  writeFigures('docs/robustness.md', 'hostile', 'npm run hostile', figures);
}
if (failures > 0) process.exitCode = 1;
