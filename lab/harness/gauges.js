/** Reads what a service still counts after its clients have left, from its `/metrics`. */

import { setTimeout as sleep } from 'node:timers/promises';
import { scheduleOf } from './process-figures.js';

/** Time for clients to leave, and for any response. */
export const settleSeconds = 10;

/** @typedef {Readonly<Record<string, number>>} Gauges */

/** However busy the machine is. */
const maxSettleSeconds = 180;

/**
 * Returns the gauges once they have returned to the idle values, or after some seconds in which the service had a processor
 * whenever it needed one: on a busy machine, the time in which other processes had it does not count.
 *
 * @param {{url: string, isUp: () => boolean}} service
 * @param {Gauges | undefined} idle The gauges before
 * @param {object} [options]
 * @param {boolean} [options.isProxied]
 * @param {readonly number[]} [options.pids] The processes that have work to finish
 * @param {number} [options.seconds]
 * @returns {Promise<Gauges | undefined>} undefined when the service does not report them
 */
export async function settledGauges(
  service,
  idle,
  { isProxied = false, pids = [], seconds = settleSeconds } = {},
) {
  const waitedMs = () => pids.reduce((sum, pid) => sum + (scheduleOf(pid).waitedMs || 0), 0);
  const [beganAt, waitedBeforeMs] = [performance.now(), waitedMs()];
  for (;;) {
    const gauges = await fetchGauges(service.url, isProxied);
    const isSettled = describeLeaks(idle, gauges).length === 0;
    const elapsedMs = performance.now() - beganAt;
    const isLate =
      elapsedMs - (waitedMs() - waitedBeforeMs) >= seconds * 1000 ||
      elapsedMs >= maxSettleSeconds * 1000;
    if (isSettled || isLate || !service.isUp()) return gauges;
    await sleep(500);
  }
}

/**
 * @param {string} url
 * @param {boolean} [isProxied]
 * @returns {Promise<Gauges | undefined>} undefined when `/metrics` has no response, another status than 200, or no gauges
 */
export async function fetchGauges(url, isProxied = false) {
  try {
    const response = await fetch(`${url}/metrics`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(settleSeconds * 1000),
    });
    const gauges = readGauges(await response.text(), isProxied);
    return response.status === 200 && Object.keys(gauges).length > 0 ? gauges : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the gauges that are higher than before, or negative: what was released twice lets a limit grow.
 *
 * @param {Gauges} idle
 * @param {Gauges} left
 */
export function leakedGauges(idle, left) {
  return Object.entries(left).filter(([name, value]) => value < 0 || value > (idle[name] ?? 0));
}

/**
 * Returns what is wrong with the gauges, among them that there are none.
 *
 * @param {Gauges | undefined} idle
 * @param {Gauges | undefined} left
 * @param {number} [seconds]
 * @returns {string[]}
 */
export function describeLeaks(idle, left, seconds = settleSeconds) {
  if (idle === undefined) return ['no metrics before'];
  if (left === undefined) return [`no metrics ${seconds} s after`];
  return leakedGauges(idle, left).map(
    ([name, value]) => `${name} is ${value} ${seconds} s after, ${idle[name] ?? 0} before`,
  );
}

/**
 * Reads gauges that decrease when clients leave: open, held, waiting or in progress. They exclude
 * data
 * that is stored on purpose, such as sandboxes and captures, and the connections that a proxy
 * keeps.
 *
 * @param {string} metrics In the text format of Prometheus
 * @param {boolean} isProxied
 * @returns {Record<string, number>}
 */
export function readGauges(metrics, isProxied) {
  const types = new Map(
    [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  return Object.fromEntries(
    [...metrics.matchAll(/^(practice_api_(\w+)) (\S+)$/gm)].flatMap(
      ([, name = '', short = '', value]) => {
        const isKept = short.startsWith('state_') || short === 'ready';
        const isOfProxy = isProxied && short === 'connections';
        return types.get(name) !== 'gauge' || isKept || isOfProxy ? [] : [[short, Number(value)]];
      },
    ),
  );
}
