/**
 * `npm run soak [-- --minutes n | --seconds n] [--program file] [--write]`: sends mixed traffic to every area, with hostile
 * callers, on the built service or another program. Exits with 1 unless every response is right, memory stays constant
 * after the warm-up, no latency increases, and the event loop is never blocked for long. Less than two minutes are too short
 * to judge growth. `--write` puts the figures into
 * docs/robustness.md.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { callJson } from '../harness/call.js';
import { describeLeaks, fetchGauges, settledGauges } from '../harness/gauges.js';
import { openConnection } from '../harness/raw-http.js';
import { referenceMs } from '../harness/reference-work.js';
import { figureTable, table, writeFigures } from '../harness/report.js';
import { followHealth, healthReporter, startService } from '../harness/start-program.js';
import { Attacker } from '../hostile/attacker.js';
import { areaConversations } from './areas.js';
import { hostileCallers, ordinaryCallers } from './callers.js';
import { judgeSoak } from './judge-soak.js';
import { misusers } from './misusers.js';

/** Small enough to be filled during the warm-up. */
const captureBytes = 256 * 1024 * 1024;
const patienceMs = 30_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string' },
    program: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const durationMs = Number(values.seconds ?? Number(values.minutes) * 60) * 1000;

if (values.program === undefined) await build();
/** @type {import('./judge-soak.js').HealthSample[]} */
const health = [];
/** @type {import('./judge-soak.js').LatencySample[]} */
const latencies = [];
/** @type {number[]} */
const dearestMs = [];
/** @type {Map<string, number>} */
const requests = new Map();
/** @type {Map<string, number>} */
const failures = new Map();
let startedAt = performance.now();
const elapsedMs = () => performance.now() - startedAt;

const flags = ['--capture-bytes', String(captureBytes), '--tls-port', '0'];
const { program } = values;
const service = await startService(flags, { program, preload: healthReporter });
followHealth(service, (sample) => health.push({ atMs: elapsedMs(), ...sample }));

/** @param {Map<string, number>} counts @param {string} name @param {number} [more] */
const count = (counts, name, more = 1) => counts.set(name, (counts.get(name) ?? 0) + more);

/**
 * Repeats the step of a caller until the time is up.
 *
 * @param {string} name
 * @param {number} pauseMs
 * @param {number} batch How many requests each step makes
 * @param {(index: number) => Promise<readonly string[]>} step Returns what was wrong
 */
async function repeat(name, pauseMs, batch, step) {
  for (let index = 0; elapsedMs() < durationMs && service.isUp(); index += batch) {
    const complaints = await step(index).catch(({ message }) => [String(message)]);
    for (const complaint of complaints) count(failures, `${name}: ${complaint}`);
    count(requests, name, batch);
    await sleep(pauseMs);
  }
}

/** @param {import('./callers.js').Caller} caller */
async function call(caller) {
  const { name, pauseMs = 20, batch = 1, isHostile, isNewConnection, statuses, next } = caller;
  /** @type {import('../harness/raw-http.js').KeptConnection | undefined} */
  let connection;
  await repeat(name, pauseMs, batch, async (index) => {
    try {
      if (!connection?.isUsable()) connection = await openConnection(service.url, patienceMs);
      const sent = Array.from({ length: batch }, (_, each) => next(index + each));
      const sentAt = performance.now();
      const responses = await connection.sendAll(
        sent.map(({ bytes }) => bytes).join(''),
        sent.map(({ method }) => method),
      );
      if (!isHostile) latencies.push({ atMs: elapsedMs(), ms: performance.now() - sentAt });
      if (isNewConnection) connection.close();
      return responses.flatMap(({ status, body }, place) => {
        const isRight = statuses ? statuses.includes(status) : status < 400;
        if (!isRight) return [`status ${status}`];
        const { shown = '' } = sent[place] ?? {};
        return body.includes(shown) ? [] : ['a body without what it must show'];
      });
    } catch (error) {
      connection?.close();
      throw error;
    }
  });
  connection?.close();
}

const callers = [...(await ordinaryCallers(service.url)), ...(await hostileCallers(service.url))];
const attacker = new Attacker({
  url: service.url,
  mode: { isProxied: false, hasAccounts: false, isShared: false },
  pid: service.pid,
  seconds: durationMs / 1000,
  isShort: true,
});
const connectionMisusers = await misusers(attacker);
/** @type {{url: string}[]} */
const [site] = await callJson(service.url, 'GET', '/tls');
const conversations = areaConversations(service.url, site?.url ?? '');
const others = [...connectionMisusers, ...conversations];
const kinds = callers.length + others.length;
console.log(`${kinds} kinds of callers for ${durationMs / 1000} s on ${service.url}`);
// The code of an area is loaded on first use, which is slow once.
for (const { next } of callers) {
  const { bytes, method } = next(0);
  const connection = await openConnection(service.url, patienceMs);
  await connection.sendAll(bytes, [method]);
  connection.close();
}
await sleep(2_000);
const idle = await fetchGauges(service.url);
health.length = 0;
startedAt = performance.now();
dearestMs.push(referenceMs());
const progress = setInterval(() => {
  dearestMs.push(referenceMs());
  const seconds = Math.round(elapsedMs() / 1000);
  console.log(`${seconds} s: ${Math.round(service.residentMebibytes())} MiB`);
}, 30_000);
await Promise.all([
  ...callers.map(call),
  ...others.map(({ name, pauseMs, once }) => repeat(name, pauseMs, 1, once)),
]);
attacker.resetAll();
clearInterval(progress);
const isUp = service.isUp();
const left = await settledGauges(service, idle, { pids: [service.pid] });
await service.stop();

const total = [...requests.values()].reduce((sum, each) => sum + each, 0);
const { rows, minutes, complaints } = judgeSoak({ health, latencies, dearestMs, durationMs });
for (const [what, times] of failures) complaints.push(`${what} (${times} times)`);
if (!isUp) complaints.push('the process went down');
complaints.push(...describeLeaks(idle, left));
const clientIds = (requests.get('client ids') ?? 0).toLocaleString('en');
const text = [
  `${total.toLocaleString('en')} requests by ${kinds} kinds of callers, of which ${clientIds} with new client ids.`,
  figureTable(rows),
  table(
    ['minute:', 'p50:', 'p99:', 'memory (RSS):', 'heap after collection:', 'longest block:'],
    minutes,
  ),
].join('\n\n');
console.log(`\n${text}\n`);
for (const [name, times] of requests) console.log(`  ${name}: ${times.toLocaleString('en')}`);
console.log(
  complaints.length === 0 ? 'No complaints.' : `Complaints:\n  ${complaints.join('\n  ')}`,
);
if (values.write) writeFigures('docs/robustness.md', 'soak', 'npm run soak', text);
if (complaints.length > 0) process.exitCode = 1;
