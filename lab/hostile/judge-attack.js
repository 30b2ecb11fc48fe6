/** Judges whether a service survived an attack. */

import { describeLeaks, leakedGauges } from '../harness/gauges.js';
import { longestBusyBlockMs } from '../harness/reference-work.js';
import { quantile } from '../harness/statistics.js';

const maxPeakMebibytes = 300;
/** The longest block of the event loop, in processor time of its thread, on an idle machine of normal speed. */
const maxBlockMs = 250;
/** The 95th percentile of `/health` in the worst {@link windowMs}. */
const maxHealthMs = 1000;
/** Short enough that the quiet part of an attack does not hide its beginning. */
const windowMs = 2000;

/**
 * @typedef {object} Observation
 * @property {boolean} isUp
 * @property {readonly HealthTime[]} healthMs Requests for `/health` during the attack, in the order they were sent
 * @property {number} longestBlockMs The longest block of the event loop, in processor time
 * @property {number} referenceMs What another process needed meanwhile for the reference work, in processor time
 * @property {number} processorShare The share of the time with work in which the service had a processor, from 0 to 1:
 *   in the rest, other processes had it
 * @property {number} idleMebibytes Resident memory before
 * @property {number} peakMebibytes The most during the attack
 * @property {Readonly<Record<string, number>> | undefined} idle Gauges before; undefined when the service does not report
 *   them
 * @property {Readonly<Record<string, number>> | undefined} left Gauges after they had time to settle
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
 * @param {boolean} isTimed Whether slow responses count, and blocks strictly, which needs an otherwise idle machine
 * @returns {Verdict}
 */
export function judgeAttack(observation, isTimed) {
  const {
    isUp,
    healthMs,
    longestBlockMs,
    referenceMs,
    processorShare,
    idleMebibytes,
    peakMebibytes,
    idle,
    left,
    settleSeconds = 10,
  } = observation;
  const healthP95Ms = worstP95(healthMs);
  const overIdle = peakMebibytes - idleMebibytes;
  const leaks = leakedGauges(idle ?? {}, left ?? {});
  const complaints = [];
  if (!isUp) complaints.push('the process went down');
  else {
    if (!(overIdle <= maxPeakMebibytes)) {
      complaints.push(`${overIdle.toFixed(0)} MiB over idle, more than ${maxPeakMebibytes}`);
    }
    // The time in which other processes had the processor does not count.
    const ownMs = healthP95Ms * processorShare;
    if (healthP95Ms === Number.POSITIVE_INFINITY) complaints.push('/health got no response');
    else if (isTimed && ownMs > maxHealthMs) {
      complaints.push(
        `/health needed ${healthP95Ms.toFixed(0)} ms, ${ownMs.toFixed(0)} ms without other processes`,
      );
    }
    if (longestBlockMs > (isTimed ? maxBlockMs : longestBusyBlockMs(referenceMs))) {
      complaints.push(`the event loop was blocked for ${longestBlockMs.toFixed(0)} ms`);
    }
    complaints.push(...describeLeaks(idle, left, settleSeconds));
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
 * Returns the highest 95th percentile of any window.
 *
 * @param {readonly HealthTime[]} times
 */
function worstP95(times) {
  const lastMs = times.at(-1)?.sentAtMs ?? 0;
  // Windows that the end of the attack cuts short have too few requests for a percentile.
  const starts = times.filter(
    ({ sentAtMs }, index) => index === 0 || lastMs - sentAtMs >= windowMs / 2,
  );
  const percentiles = starts.map(({ sentAtMs: fromMs }) => {
    const own = times.filter(({ sentAtMs }) => sentAtMs >= fromMs && sentAtMs < fromMs + windowMs);
    return (
      quantile(
        own.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY),
        0.95,
      ) ?? 0
    );
  });
  return percentiles.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...percentiles);
}
