/**
 * Asks for `/health` every so often in a process of its own, without waiting for earlier answers: while
 * nothing is answered, each question waits. Sends the times to its parent when it is told to stop; `null` stands
 * for an answer that failed or did not come.
 */

import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 50;
/** Far beyond what a busy machine takes: it is for what hangs. */
const patienceMs = 30_000;

const [, , serviceUrl = ''] = process.argv;

/** @type {import('./judge-attack.js').HealthTime[]} */
const times = [];
/** @type {Set<() => void>} */
const waiting = new Set();

function ask() {
  const startedAt = performance.now();
  const done = () => {
    if (waiting.delete(done))
      times.push({ sentAtMs: startedAt, ms: performance.now() - startedAt });
  };
  const fail = () => {
    if (waiting.delete(done)) times.push({ sentAtMs: startedAt, ms: null });
  };
  waiting.add(done);
  const request = get(`${serviceUrl}/health`, { agent: false, timeout: patienceMs }, (response) => {
    response.resume();
    response.once('end', response.statusCode === 200 ? done : fail);
  });
  request.once('timeout', () => request.destroy());
  request.once('error', fail);
  request.once('close', fail);
}

const timer = setInterval(ask, pauseMs);

process.on('disconnect', () => process.exit());
process.once('message', async () => {
  clearInterval(timer);
  // What was asked during the attack counts until it is answered.
  while (waiting.size > 0) await sleep(10);
  times.sort((a, b) => a.sentAtMs - b.sentAtMs);
  process.send?.(times, () => process.exit());
});
process.send?.('ready');
