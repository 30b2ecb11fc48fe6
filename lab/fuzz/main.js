/**
 * `npm run fuzz [-- --requests n] [--seconds n] [--seed s] [--case i] [--connections n] [--program file] [--write]`: starts
 * the built service, or another program, and sends it mutated requests of all kinds. Exits with 1 if a response was wrong,
 * the process ended, it still counts something ten seconds after, or it used too much memory. `--case` repeats one case of a
 * run; `--write` puts the figures into docs/robustness.md.
 */

import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { isHealthy } from '../harness/call.js';
import { describeLeaks, fetchGauges, settledGauges } from '../harness/gauges.js';
import { figureTable, writeFigures } from '../harness/report.js';
import { startService } from '../harness/start-program.js';
import { allSources, describeFinding, runFuzz } from './run-fuzz.js';

/** The state of five sandboxes, all caches, and Node's own needs. */
const maxMebibytes = 768;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seconds: { type: 'string' },
    program: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    case: { type: 'string' },
    connections: { type: 'string', default: '16' },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const requests = Number(values.requests);

if (values.program === undefined) await build();
const service = await startService(['--http2-lab-port', '0'], { program: values.program });
console.log(`Seed ${seed}; ${requests.toLocaleString('en')} requests to ${service.url}`);
const idle = await fetchGauges(service.url);
const startedAt = performance.now();

let shownAt = startedAt;
const report = await runFuzz(service.url, {
  sources: allSources(),
  requests,
  seed,
  connections: Number(values.connections),
  ...(values.seconds !== undefined && { seconds: Number(values.seconds) }),
  ...(values.case !== undefined && { only: Number(values.case) }),
  onProgress(sent) {
    if (performance.now() - shownAt < 10_000) return;
    shownAt = performance.now();
    console.log(`${sent.toLocaleString('en')} sent, ${Math.round(service.peakMebibytes())} MiB`);
  },
});
const seconds = (performance.now() - startedAt) / 1000;
const isUp = await isHealthy(service.url);
const mebibytes = Math.round(service.peakMebibytes());
const leaks = describeLeaks(idle, await settledGauges(service, idle, { pids: [service.pid] }));
await service.stop();

for (const finding of report.findings.slice(0, 40)) console.log(describeFinding(finding));
/** @param {ReadonlyMap<string, number>} counts */
const counted = (counts) =>
  [...counts].sort().map(([what, count]) => [what, count.toLocaleString('en')]);
const figures = figureTable([
  ['requests', report.sent.toLocaleString('en')],
  ...counted(report.bySource),
  ['minutes', (seconds / 60).toFixed(1)],
  ['requests a second', Math.round(report.sent / seconds).toLocaleString('en')],
  ['memory at most (RSS)', `${mebibytes} MiB`],
  ['still counted 10 s after', leaks.join(', ') || 'nothing'],
  ['wrong responses', String(report.findingCount)],
]);
const end = `Seed ${seed}. The process ${isUp ? 'stayed up' : 'went down'}.`;
const text = `${end}\n\n${figures}`;
console.log(`${text}\n\nResponses by source and status:`);
for (const [what, count] of counted(report.byStatus)) console.log(`  ${what}: ${count}`);
if (values.write) writeFigures('docs/robustness.md', 'fuzz', 'npm run fuzz', text);
const isBad = report.findingCount > 0 || leaks.length > 0 || mebibytes > maxMebibytes;
if (isBad || !isUp) process.exitCode = 1;
