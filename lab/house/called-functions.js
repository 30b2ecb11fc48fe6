/** Lists the functions that one request calls in the process of the built service. */

import { readFileSync } from 'node:fs';
import { ownerOf } from '../harness/code-owner.js';
import { inspect, inspected } from '../harness/inspect.js';
import { openConnection, writeRequest } from '../harness/raw-http.js';
import { startService } from '../harness/start-program.js';

const warmUps = 50;
const patienceMs = 30_000;

/**
 * @typedef {{functions: number, calls: number}} Called
 * @typedef {Map<string, {owner: string, calls: number}>} Counts By function
 */

/**
 * Counts the functions of this service, of each library and of Node that a request calls on a warm
 * connection.
 *
 * @param {string} path
 * @returns {Promise<Map<string, Called>>} By owner
 */
export async function calledFunctions(path) {
  const service = await startService([], { preload: inspected });
  try {
    const connection = await openConnection(service.url, patienceMs);
    const send = () => connection.sendAll(writeRequest('GET', path), ['GET']);
    for (let sent = 0; sent < warmUps; sent++) await send();
    await inspect(service, 'Profiler.enable');
    await inspect(service, 'Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const take = async () =>
      countsOf((await inspect(service, 'Profiler.takePreciseCoverage')).result);
    // Reading the counts resets them, and calls functions itself.
    await take();
    const takeOnly = await take();
    await send();
    const counts = await take();
    connection.close();
    return sumByOwner(counts, takeOnly);
  } finally {
    await service.stop();
  }
}

/**
 * @param {Counts} counts
 * @param {Counts} others Calls that are not of the request
 */
export function sumByOwner(counts, others) {
  /** @type {Map<string, Called>} */
  const sums = new Map();
  for (const [key, { owner, calls: all }] of counts) {
    const calls = all - (others.get(key)?.calls ?? 0);
    if (calls <= 0) continue;
    const sum = sums.get(owner) ?? { functions: 0, calls: 0 };
    sums.set(owner, { functions: sum.functions + 1, calls: sum.calls + calls });
  }
  return sums;
}

/**
 * @param {import('node:inspector').Profiler.ScriptCoverage[]} scripts
 * @returns {Counts}
 */
function countsOf(scripts) {
  /** @type {Counts} */
  const counts = new Map();
  for (const { scriptId, url, functions } of scripts) {
    const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    const text =
      called.length > 0 && url.startsWith('file:') ? readFileSync(new URL(url), 'utf8') : '';
    for (const { functionName, ranges } of called) {
      const [{ count, startOffset } = { count: 0, startOffset: 0 }] = ranges;
      const owner = ownerOf(url, text.slice(0, startOffset).split('\n').length - 1);
      counts.set(`${scriptId} ${startOffset} ${functionName}`, {
        owner: owner?.startsWith('src/') ? 'ours' : (owner ?? 'generated code'),
        calls: count,
      });
    }
  }
  return counts;
}
