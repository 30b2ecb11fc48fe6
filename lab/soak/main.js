/**
 * `npm run soak [-- --minutes n] [--write]`: mixed traffic from every area, hostile callers among it, on
 * the built service in a process of its own. Ends with 1 unless memory stays flat after the warm-up, no
 * latency creeps up, and the event loop is never blocked for long. `--write` puts the figures into
 * docs/robustness.md.
 */

import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { writeSection } from '../../scripts/write-section.js';
import { openConnection } from '../fuzz/connection.js';
import { Attacker } from '../hostile/attacker.js';
import { describeLeaks, fetchGauges, settledGauges } from '../hostile/settled-gauges.js';
import { bytesOf, dearestBody, hostileCallers, ordinaryCallers } from './callers.js';
import { judgeSoak } from './judge-soak.js';
import { misusers } from './misusers.js';
import { startWatched } from './start-watched.js';

/** Small enough to be filled during the warm-up. */
const captureBytes = 256 * 1024 * 1024;
const patienceMs = 30_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
});
const durationMs = Number(values.minutes) * 60_000;

await build();
/** @type {import('./judge-soak.js').HealthSample[]} */
const health = [];
/** @type {import('./judge-soak.js').LatencySample[]} */
const latencies = [];
/** @type {number[]} */
const dearestMs = [];
/** @type {Map<string, number>} */
const answered = new Map();
/** @type {Map<string, number>} */
const failures = new Map();
let startedAt = performance.now();
const elapsedMs = () => performance.now() - startedAt;

const service = await startWatched(['--capture-bytes', String(captureBytes)], (sample) => {
  health.push({ atMs: elapsedMs(), ...sample });
});
process.once('exit', () => service.stop());

/** @param {string} method @param {string} path @param {unknown} [value] */
async function ask(method, path, value) {
  const response = await fetch(service.url + path, {
    method,
    ...(value !== undefined && {
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json' },
    }),
  });
  return response.json();
}

/** @param {import('./callers.js').Caller} caller */
async function call(caller) {
  const { name, pauseMs, batch = 1, isHostile, isNewConnection, statuses, next } = caller;
  /** @type {import('../fuzz/connection.js').KeptConnection | undefined} */
  let connection;
  for (let index = 0; elapsedMs() < durationMs && !service.hasEnded(); index += batch) {
    try {
      if (!connection?.isUsable()) connection = await openConnection(service.url, patienceMs);
      const requests = Array.from({ length: batch }, (_, each) => next(index + each));
      const sentAt = performance.now();
      const responses = await connection.sendAll(
        requests.map(bytesOf).join(''),
        requests.map(({ method }) => method),
      );
      if (!isHostile) latencies.push({ atMs: elapsedMs(), ms: performance.now() - sentAt });
      answered.set(name, (answered.get(name) ?? 0) + batch);
      for (const { status } of responses) {
        const isRight = statuses ? statuses.includes(status) : status < 400;
        if (!isRight) fail(`${name}: ${status}`);
      }
    } catch (error) {
      fail(`${name}: ${/** @type {Error} */ (error).message}`);
      connection?.close();
    }
    if (isNewConnection) connection?.close();
    await sleep(pauseMs);
  }
  connection?.close();
}

/** @param {string} what */
function fail(what) {
  failures.set(what, (failures.get(what) ?? 0) + 1);
}

/** @param {import('./misusers.js').Misuser} misuser */
async function misuse({ name, pauseMs, once }) {
  for (let index = 0; elapsedMs() < durationMs && !service.hasEnded(); index++) {
    try {
      const complaint = await once(index);
      if (complaint !== undefined) fail(`${name}: ${complaint}`);
    } catch (error) {
      fail(`${name}: ${/** @type {Error} */ (error).message}`);
    }
    answered.set(name, (answered.get(name) ?? 0) + 1);
    await sleep(pauseMs);
  }
}

const callers = [...(await ordinaryCallers(ask)), ...(await hostileCallers(ask))];
const attacker = new Attacker({
  url: service.url,
  mode: { isProxied: false, hasAccounts: false, isShared: false },
  pid: 0,
  seconds: durationMs / 1000,
  isShort: true,
});
const connectionMisusers = await misusers(attacker);
const kinds = callers.length + connectionMisusers.length;
console.log(`${kinds} kinds of callers for ${values.minutes} minutes on ${service.url}`);
// The code of an area is loaded when it is first used, which takes its time once.
for (const { next } of callers) {
  const request = next(0);
  const connection = await openConnection(service.url, patienceMs);
  await connection.send(bytesOf(request), request.method);
  connection.close();
}
await sleep(2_000);
const idle = (await fetchGauges(service.url)) ?? {};
health.length = 0;
startedAt = performance.now();
const progress = setInterval(() => {
  const beganAt = process.cpuUsage();
  JSON.stringify(JSON.parse(dearestBody));
  dearestMs.push(process.cpuUsage(beganAt).user / 1000);
  const { rssBytes = 0, longestBlockMs = 0 } = health.at(-1) ?? {};
  const mebibytes = Math.round(rssBytes / 1024 / 1024);
  console.log(
    `${Math.round(elapsedMs() / 1000)} s: ${mebibytes} MiB, block ${Math.round(longestBlockMs)} ms`,
  );
}, 30_000);
await Promise.all([...callers.map(call), ...connectionMisusers.map(misuse)]);
attacker.resetAll();
clearInterval(progress);
const isUp = !service.hasEnded();
const left = await settledGauges({ url: service.url, isUp: () => !service.hasEnded() }, idle);
service.stop();

const total = [...answered.values()].reduce((sum, each) => sum + each, 0);
const { rows, minutes, complaints } = judgeSoak({ health, latencies, dearestMs, durationMs });
for (const [what, count] of failures) complaints.push(`${what} (${count} times)`);
if (!isUp) complaints.push('the process went down');
complaints.push(...describeLeaks(idle, left ?? {}));
const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;
const text = [
  `${machine}; ${values.minutes} minutes, ${total.toLocaleString('en')} requests by ${kinds} kinds of callers, of which ${(answered.get('client ids') ?? 0).toLocaleString('en')} by client ids of their own.`,
  '',
  '| what | figure |',
  '| --- | ---: |',
  ...rows.map(([what, figure]) => `| ${what} | ${figure} |`),
  '',
  '| minute | p50 | p99 | memory (RSS) | heap after collection | longest block |',
  '| ---: | ---: | ---: | ---: | ---: | ---: |',
  ...minutes.map((cells) => `| ${cells.join(' | ')} |`),
].join('\n');
console.log(`\n${text}\n`);
for (const [name, count] of answered) console.log(`  ${name}: ${count.toLocaleString('en')}`);
console.log(complaints.length === 0 ? 'All is well.' : `Not well:\n  ${complaints.join('\n  ')}`);
if (values.write) writeSection('docs/robustness.md', 'soak', text);
if (complaints.length > 0) process.exitCode = 1;
