/**
 * `npm run class [-- --pupils n] [--seconds n] [--write]`: a class works on the built service with a
 * heap of 512 MiB, on one process and on two replicas over Redis, while its teacher follows the
 * board. Exits with 1 if a request fails, a row is wrong, or the replicas disagree on who was first.
 * `--write` puts the figures into docs/robustness.md.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { table, writeFigures } from '../harness/report.js';
import { startService } from '../harness/start-program.js';
import { hasRedis, startRedis } from '../harness/start-redis.js';
import { quantile } from '../harness/statistics.js';
import { Classroom } from './classroom.js';

const { values } = parseArgs({
  options: {
    pupils: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
  },
});
const pupils = Number(values.pupils);
const seconds = Number(values.seconds);
const nodeFlags = ['--max-old-space-size=512'];

/** @param {string} name @param {import('../harness/start-program.js').RunningProgram[]} services */
async function work(name, services) {
  const room = new Classroom(services.map(({ url }) => url));
  const joined = performance.now();
  await room.open(pupils);
  const joinMs = performance.now() - joined;
  const ended = room.follow();
  const before = services.reduce((sum, each) => sum + each.processorMs(), 0);
  const complaints = await room.workFor(seconds * 1000);
  complaints.push(...(await room.race()));
  const used = services.reduce((sum, each) => sum + each.processorMs(), 0) - before;
  complaints.push(...(await room.checkBoard()));
  const boardMs = await room.timeBoard();
  await room.end();
  await ended;
  const { latencies, requests } = room;
  console.log(`${name}: ${requests} requests, ${latencies.length} of them seen on the board`);
  for (const complaint of complaints) console.log(`  wrong: ${complaint}`);
  if (complaints.length > 0) process.exitCode = 1;
  return [
    name,
    `${joinMs.toFixed(0)} ms`,
    `${requests}`,
    `${(used / requests).toFixed(2)} ms`,
    [0.5, 0.95].map((share) => `${quantile(latencies, share)?.toFixed(0)} ms`).join(', '),
    `${boardMs.toFixed(0)} ms`,
    services.map((each) => `${each.peakMebibytes().toFixed(0)} MiB`).join(', '),
  ];
}

await build();
const rows = [];
const alone = await startService([], { nodeFlags });
rows.push(await work('one process', [alone]));
await alone.stop();
if (hasRedis) {
  const redis = await startRedis();
  const shared = ['--state-url', redis.url];
  const replicas = [
    await startService(shared, { nodeFlags }),
    await startService(shared, { nodeFlags }),
  ];
  // Both have to know the same keys.
  await sleep(200);
  rows.push(await work('two replicas', replicas));
  for (const each of [...replicas, redis]) await each.stop();
}
const headings = [
  'State',
  'All joined',
  'Requests',
  'Processor time of a request',
  'Until the board shows it: median, 95 %',
  'The whole board',
  'Peak memory',
];
const figures = table(headings, rows);
console.log(figures);
if (values.write) {
  const says = `${pupils} pupils, a request a second each for ${seconds} s, then one challenge at the same moment.`;
  writeFigures('docs/robustness.md', 'class', 'npm run class', `${says}\n\n${figures}`);
}
