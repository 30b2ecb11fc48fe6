/**
 * Requests `/health` regularly in a separate process, without waiting for earlier responses. Sends
 * the times to its parent at the end; `null` is a failed request.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../harness/raw-http.js';
import { probeOf } from '../harness/start-program.js';

const pauseMs = 50;
/** Much longer than a busy machine needs, for requests that hang. */
const patienceMs = 30_000;

const [, , serviceUrl = ''] = process.argv;
const request = probeOf('/health');

/** @type {import('./judge-attack.js').HealthTime[]} */
const times = [];
let waiting = 0;

async function ask() {
  const sentAtMs = performance.now();
  waiting++;
  const { responses } = await exchange(serviceUrl, [request], { patienceMs }).catch(() => ({
    responses: [],
  }));
  waiting--;
  const isHealthy = responses[0]?.status === 200;
  times.push({ sentAtMs, ms: isHealthy ? performance.now() - sentAtMs : null });
}

const timer = setInterval(ask, pauseMs);

process.on('disconnect', () => process.exit());
process.once('message', async () => {
  clearInterval(timer);
  // Requests during the attack count until they have their responses.
  while (waiting > 0) await sleep(10);
  times.sort((a, b) => a.sentAtMs - b.sentAtMs);
  process.send?.(times, () => process.exit());
});
process.send?.('ready');
