/** Whether a service bore an attack. */

import { describeLeaks, leakedGauges } from '../harness/gauges.js';
import { quantile } from '../harness/statistics.js';

export const maxPeakMebibytes = 300;
/** The longest block of the event loop, in processor time of its thread. */
export const maxBlockMs = 250;
/** The 95th percentile of `/health` in the worst {@link windowMs}. */
export const maxHealthMs = 1000;
/** Short enough that the quiet part of an attack does not hide its beginning. */
const windowMs = 2000;

/**
 * @typedef {object} Observation
 * @property {boolean} isUp
 * @property {readonly HealthTime[]} healthMs Requests for `/health` during the attack, in the order they were sent
 * @property {number} longestBlockMs The longest block of the event loop, in processor time
 * @property {number} processorShare The share of the time with work in which the service had a processor, from 0 to 1:
 *   in the rest, other processes had it
 * @property {number} idleMebibytes Resident memory before
 * @property {number} peakMebibytes The most during the attack
 * @property {Readonly<Record<string, number>>} idle Gauges before
 * @property {Readonly<Record<string, number>> | undefined} left Gauges after they had time to settle; undefined when the
 *   service does not respond
 * @property {number | undefined} [settleSeconds] After the attacker left
 * @property {readonly string[]} complaints From the attacker, or about the log
 *
 * @typedef {object} HealthTime
 * @property {number} sentAtMs
 * @property {number | null} ms `null` where the request failed or got no response
 *
 * @typedef {object} Verdict
 * @property {number} healthP95Ms In the worst two seconds
 * @property {number} longestBlockMs
 * @property {number} peakMebibytes Over idle
 * @property {string} left Gauges that had not settled
 * @property {readonly string[]} complaints Empty when the service bore the attack
 */

/**
 * @param {Observation} observation
 * @param {boolean} isTimed Whether slow responses and blocks count, which needs an otherwise idle machine
 * @returns {Verdict}
 */
export function judgeAttack(observation, isTimed) {
  const {
    isUp,
    healthMs,
    longestBlockMs,
    processorShare,
    idleMebibytes,
    peakMebibytes,
    idle,
    left,
    settleSeconds = 10,
  } = observation;
  const healthP95Ms = worstP95(healthMs);
  const overIdle = peakMebibytes - idleMebibytes;
  const leaks = leakedGauges(idle, left ?? {});
  const complaints = [];
  if (!isUp) complaints.push('the process went down');
  else {
    if (!(overIdle <= maxPeakMebibytes)) {
      complaints.push(`${overIdle.toFixed(0)} MiB over idle, more than ${maxPeakMebibytes}`);
    }
    // The time in which others had the processor does not count.
    const ownMs = healthP95Ms * processorShare;
    if (healthP95Ms === Number.POSITIVE_INFINITY) complaints.push('/health got no response');
    else if (isTimed && ownMs > maxHealthMs) {
      complaints.push(`/health took ${healthP95Ms.toFixed(0)} ms, ${ownMs.toFixed(0)} of its own`);
    }
    if (isTimed && longestBlockMs > maxBlockMs) {
      complaints.push(`the event loop was blocked for ${longestBlockMs.toFixed(0)} ms`);
    }
    if (left === undefined) complaints.push(`no metrics ${settleSeconds} s after`);
    complaints.push(...describeLeaks(idle, left ?? {}, settleSeconds));
  }
  return {
    healthP95Ms,
    longestBlockMs,
    peakMebibytes: overIdle,
    left: leaks.map(([name, value]) => `${name} ${value}`).join(', ') || 'nothing',
    complaints: [...complaints, ...observation.complaints],
  };
}

/**
 * The highest 95th percentile of any window.
 *
 * @param {readonly HealthTime[]} times
 */
function worstP95(times) {
  let worst = times.length === 0 ? Number.POSITIVE_INFINITY : 0;
  let end = 0;
  for (const [start, { sentAtMs }] of times.entries()) {
    while (end < times.length && (times[end]?.sentAtMs ?? 0) < sentAtMs + windowMs) end++;
    // Windows that the end of the attack cuts short would make a percentile of few.
    if (
      start > 0 &&
      end === times.length &&
      (times.at(-1)?.sentAtMs ?? 0) - sentAtMs < windowMs / 2
    )
      break;
    const waits = times.slice(start, end).map(({ ms }) => ms ?? Number.POSITIVE_INFINITY);
    worst = Math.max(worst, quantile(waits, 0.95) ?? Number.POSITIVE_INFINITY);
  }
  return worst;
}
