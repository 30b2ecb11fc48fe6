/**
 * `npm run mutants [-- --sample n] [--seed s] [--in path]… [--workers n] [--resume] [--list] [--write]`: makes careless changes
 * all over the service, each in a copy of the project, and runs what `npm cit` selects for the changed file, nearest tests
 * first. Prints which changes no test noticed, and exits with 1 if more than 10 % of all or 20 % of an area are such.
 * `--in` keeps to paths that begin so; `--resume` continues a run that was interrupted; `--list` only prints the sample;
 * `--write` puts the counts into docs/robustness.md.
 */

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { seedOfCommit } from '../../scripts/tests/changes.js';
import { table, writeFigures } from '../harness/report.js';
import {
  areaOf,
  chooseMutants,
  groupBy,
  nameOf,
  readMutants,
  withoutEquivalents,
} from './choose.js';
import { Judge } from './judge.js';
import { readReached } from './reached/reached.js';
import { stopRuns, Tree } from './tree.js';
import { verdictOf } from './verdict.js';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(seedOfCommit()) },
    in: { type: 'string', multiple: true, default: [] },
    workers: { type: 'string', default: '2' },
    resume: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const folder = fileURLToPath(new URL('../../.mutants/', import.meta.url));
/** For fewer changes, it is not recorded which functions each test executes. */
const fewestToRecord = 10;
const record = `${folder}judged-${seed}.jsonl`;

const equivalents = JSON.parse(readFileSync(new URL('equivalents.json', import.meta.url), 'utf8'));
const all = withoutEquivalents(readMutants(), equivalents);
const within = all.filter(
  ({ file }) => values.in.length === 0 || values.in.some((path) => file.startsWith(path)),
);
const sample = chooseMutants(within, { sample: Number(values.sample), seed });

if (values.list) for (const mutant of sample) console.log(nameOf(mutant));
else await judgeSample();

async function judgeSample() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  removeOldCopies();
  const copies = `${folder}run-${process.pid}/`;
  process.once('exit', () => {
    stopRuns();
    rmSync(copies, { recursive: true, force: true });
  });
  await build();
  // A run that is stopped early has no results that could replace others.
  if (!values.resume && process.env.PRACTICE_BUDGET === undefined) rmSync(record, { force: true });
  mkdirSync(folder, { recursive: true });
  /** @type {Map<string, import('./verdict.js').Judged>} */
  const known = new Map();
  const names = new Set(sample.map(nameOf));
  for (const judged of values.resume ? readRecord() : [])
    if (names.has(judged.name)) known.set(judged.name, judged);
  const queue = sample.filter((mutant) => !known.has(nameOf(mutant)));
  console.log(`Seed ${seed}. Judging ${queue.length} of ${sample.length} changes.`);
  // The record takes as long as a few changes that no test notices.
  const judge = new Judge(
    seed,
    queue.length < fewestToRecord ? {} : { reached: readReached(seed) },
  );
  const workers = Array.from({ length: Number(values.workers) }, async (_, place) => {
    const tree = new Tree(`${copies}tree-${place + 1}`);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const beganAt = performance.now();
      const judged = await judge.judge(next, tree);
      const seconds = Math.round((performance.now() - beganAt) / 1000);
      known.set(judged.name, judged);
      appendFileSync(record, `${JSON.stringify(judged)}\n`);
      const count = `${known.size}/${sample.length}`;
      console.log(
        `${count} ${judged.isFound ? 'found' : 'SURVIVED'}: ${judged.name}\n  by ${judged.by}, ${seconds} s`,
      );
    }
  });
  await Promise.all(workers);
  for (const file of judge.excluded) console.log(`Left out, fails without a change: ${file}`);
  report(sample.flatMap((mutant) => known.get(nameOf(mutant)) ?? []));
}

/** Removes the copies of runs that were killed. */
function removeOldCopies() {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, pid] = /^run-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(folder + name, { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @returns {import('./verdict.js').Judged[]} */
function readRecord() {
  if (!existsSync(record)) return [];
  const lines = readFileSync(record, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** @param {readonly import('./verdict.js').Judged[]} judged */
function report(judged) {
  const { rows, faults } = verdictOf(judged);
  const survivors = judged.filter(({ isFound }) => !isFound);
  for (const [area, own] of groupBy(survivors, ({ file }) => areaOf(file))) {
    console.log(`No test noticed in ${area}:`);
    for (const { name } of own) console.log(`  ${name}`);
  }
  const cells = rows.map(({ area, count, survived, percent }) => [
    area,
    String(count),
    String(survived),
    `${percent.toFixed(1)} %`,
  ]);
  const figures = table(['area', 'changes:', 'unnoticed:', 'share:'], cells);
  console.log(figures);
  if (values.write) writeFigures('docs/robustness.md', 'mutants', 'npm run mutants', figures);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
