/**
 * `npm run fuzz [-- --requests n] [--seed s] [--case i] [--connections n] [--write]`: starts the built service in
 * a process of its own and sends it mutated requests of all kinds; ends with 1 when any answer was wrong,
 * the process ended, or it took more memory than it may. `--case` sends one case of a run again,
 * `--write` puts the figures into docs/robustness.md.
 */

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { writeSection } from '../../scripts/write-section.js';
import { startProgram } from '../bench/start-program.js';
import { describeLeaks, fetchGauges, settledGauges } from '../hostile/settled-gauges.js';
import { allSources } from './all-sources.js';
import { describeFinding, runFuzz } from './run-fuzz.js';

/** The state of five sandboxes, all caches, and what Node needs to be quick. */
const maxMebibytes = 768;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    case: { type: 'string' },
    connections: { type: 'string', default: '16' },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const requests = Number(values.requests);

await build();
const program = await startProgram();
process.once('exit', () => program.stop());
console.log(`Seed ${seed}; ${requests.toLocaleString('en')} requests to ${program.url}`);
const idle = (await fetchGauges(program.url)) ?? {};
const startedAt = performance.now();
let mostMebibytes = 0;
const watch = setInterval(() => {
  mostMebibytes = Math.max(mostMebibytes, program.residentMebibytes());
}, 500);

let shownAt = startedAt;
const report = await runFuzz(program.url, {
  sources: allSources(),
  requests,
  seed,
  connections: Number(values.connections),
  ...(values.case !== undefined && { only: Number(values.case) }),
  onProgress(sent) {
    if (performance.now() - shownAt < 10_000) return;
    shownAt = performance.now();
    console.log(`${sent.toLocaleString('en')} sent, ${Math.round(mostMebibytes)} MiB at most`);
  },
});
clearInterval(watch);
const seconds = (performance.now() - startedAt) / 1000;
const isUp = await fetch(`${program.url}/health`).then(
  ({ ok }) => ok,
  () => false,
);

const leaks = describeLeaks(idle, (await settledGauges(program, idle)) ?? {});
program.stop();

for (const finding of report.findings.slice(0, 40)) console.log(describeFinding(finding));
/** @param {ReadonlyMap<string, number>} counts */
const list = (counts) =>
  [...counts].sort().map(([what, count]) => `  ${what}: ${count.toLocaleString('en')}`);
console.log(
  [
    `Sent ${report.sent.toLocaleString('en')} in ${Math.round(seconds)} s (${Math.round(report.sent / seconds).toLocaleString('en')} a second), seed ${seed}`,
    ...list(report.bySource),
    'Answers by status',
    ...list(report.byStatus),
    `Memory at most ${Math.round(mostMebibytes)} MiB, of ${maxMebibytes} allowed`,
    `Wrong answers: ${report.findingCount}, of ${report.findings.length} kinds`,
    `Still counted: ${leaks.join(', ') || 'nothing'}`,
    `The process ${isUp ? 'stayed up' : 'went down'}`,
  ].join('\n'),
);
if (values.write) {
  const rows = [
    ['requests', report.sent.toLocaleString('en')],
    ...[...report.bySource].sort().map(([name, count]) => [name, count.toLocaleString('en')]),
    ['minutes', (seconds / 60).toFixed(1)],
    ['requests a second', Math.round(report.sent / seconds).toLocaleString('en')],
    ['memory at most (RSS)', `${Math.round(mostMebibytes)} MiB`],
    ['still counted 10 s after', leaks.join(', ') || 'nothing'],
    ['wrong answers', String(report.findingCount)],
  ];
  const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;
  const table = [
    `${machine}; seed ${seed}. The process ${isUp ? 'stayed up' : 'went down'}.`,
    '',
    '| what | figure |',
    '| --- | ---: |',
    ...rows.map(([what, figure]) => `| ${what} | ${figure} |`),
  ];
  writeSection('docs/robustness.md', 'fuzz', table.join('\n'));
}
const isBad = report.findingCount > 0 || leaks.length > 0 || mostMebibytes > maxMebibytes;
if (isBad || !isUp) process.exitCode = 1;
