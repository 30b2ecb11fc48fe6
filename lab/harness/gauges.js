/** Reads what a service still counts after its clients have left, from its `/metrics`. */

import { setTimeout as sleep } from 'node:timers/promises';

/** Time for clients to leave, and for any response. */
export const settleSeconds = 10;

/** @typedef {Readonly<Record<string, number>>} Gauges */

/**
 * Returns the gauges once they have returned to the idle values, or after some seconds.
 *
 * @param {{url: string, isUp: () => boolean}} service
 * @param {Gauges} idle The gauges before
 * @param {boolean} [isProxied]
 * @param {number} [seconds]
 * @returns {Promise<Gauges | undefined>} undefined when the service does not respond
 */
export async function settledGauges(service, idle, isProxied = false, seconds = settleSeconds) {
  const endsAt = performance.now() + seconds * 1000;
  for (;;) {
    const gauges = await fetchGauges(service.url, isProxied);
    const isSettled = gauges !== undefined && leakedGauges(idle, gauges).length === 0;
    if (isSettled || performance.now() >= endsAt || !service.isUp()) return gauges;
    await sleep(500);
  }
}

/**
 * @param {string} url
 * @param {boolean} [isProxied]
 * @returns {Promise<Gauges | undefined>}
 */
export async function fetchGauges(url, isProxied = false) {
  try {
    const response = await fetch(`${url}/metrics`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(settleSeconds * 1000),
    });
    return readGauges(await response.text(), isProxied);
  } catch {
    return undefined;
  }
}

/**
 * @param {Gauges} idle
 * @param {Gauges} left
 */
export function leakedGauges(idle, left) {
  return Object.entries(left).filter(([name, value]) => value > (idle[name] ?? 0));
}

/**
 * @param {Gauges} idle
 * @param {Gauges} left
 * @param {number} [seconds]
 */
export function describeLeaks(idle, left, seconds = settleSeconds) {
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
    [...metrics.matchAll(/^(practice_api_(\w+)) ([\d.e+]+)$/gm)].flatMap(
      ([, name = '', short = '', value]) => {
        const isKept = short.startsWith('state_') || short === 'ready';
        const isOfProxy = isProxied && short === 'connections';
        return types.get(name) !== 'gauge' || isKept || isOfProxy ? [] : [[short, Number(value)]];
      },
    ),
  );
}
