/** Whether a service bore an attack: pure, so that it can be tested without one. */

import { describeLeaks, leakedGauges } from './settled-gauges.js';

export const maxPeakMebibytes = 300;
/** Where the machine has nothing else to do; tests, which run on any, pass no limit. */
export const maxHealthMs = 1000;

/**
 * @typedef {object} Observation
 * @property {boolean} isUp
 * @property {readonly (number | null)[]} healthMs What `/health` took during the attack; `null` where it failed or
 *   did not come
 * @property {number} processorShare Of the time in which the service had work, how much it had the processor
 *   for, from 0 to 1: the rest went to others on the machine
 * @property {number} idleMebibytes Resident memory before
 * @property {number} peakMebibytes The most during the attack
 * @property {Readonly<Record<string, number>>} idle Gauges before
 * @property {Readonly<Record<string, number>> | undefined} left Gauges once they had time to settle;
 *   nothing when the service does not tell
 * @property {number | undefined} [settleSeconds] After the attacker left
 * @property {readonly string[]} complaints What the attacker, or the log, says was wrong
 *
 * @typedef {object} Verdict
 * @property {number} healthP95Ms
 * @property {number} peakMebibytes Over idle
 * @property {string} left What was still counted, in words
 * @property {readonly string[]} complaints Empty when it bore it
 */

/**
 * @param {Observation} observation
 * @param {number} [limitMs] What `/health` may take; without it, that it is answered will do
 * @returns {Verdict}
 */
export function judgeAttack(observation, limitMs = Number.POSITIVE_INFINITY) {
  const {
    isUp,
    healthMs,
    processorShare,
    idleMebibytes,
    peakMebibytes,
    idle,
    left,
    settleSeconds = 10,
  } = observation;
  const healthP95Ms = p95(healthMs);
  const overIdle = peakMebibytes - idleMebibytes;
  const leaks = leakedGauges(idle, left ?? {});
  const complaints = [];
  if (!isUp) complaints.push('the process went down');
  else {
    if (!(overIdle <= maxPeakMebibytes)) {
      complaints.push(`${overIdle.toFixed(0)} MiB over idle, more than ${maxPeakMebibytes}`);
    }
    // What others on the machine do is not held against it.
    const ownMs = healthP95Ms * processorShare;
    if (healthP95Ms === Number.POSITIVE_INFINITY) complaints.push('/health was not answered');
    else if (ownMs > limitMs) {
      complaints.push(`/health took ${healthP95Ms.toFixed(0)} ms, ${ownMs.toFixed(0)} of its own`);
    }
    if (left === undefined) complaints.push(`no metrics ${settleSeconds} s after`);
    complaints.push(...describeLeaks(idle, left ?? {}, settleSeconds));
  }
  return {
    healthP95Ms,
    peakMebibytes: overIdle,
    left: leaks.map(([name, value]) => `${name} ${value}`).join(', ') || 'nothing',
    complaints: [...complaints, ...observation.complaints],
  };
}

/** @param {readonly (number | null)[]} times */
function p95(times) {
  const sorted = times.map((ms) => ms ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ??
    Number.POSITIVE_INFINITY
  );
}
