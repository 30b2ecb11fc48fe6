/** Decides whether a build is as fast as another. */

import { median, spreadOf } from '../harness/statistics.js';

/** Maximum ratio of costs. */
const maxShare = 1.03;

/**
 * @typedef {{requestsPerSecond: number, microseconds: number}} Figures `microseconds` is the processor time of a request
 * @typedef {{ours: Figures, theirs: Figures}} Turn What both builds did, one right after the other
 */

/**
 * Compares processor time if the system reports it, because other work on the machine
 * affects elapsed time much more.
 *
 * @param {readonly Turn[]} turns
 */
export function judgeBuilds(turns) {
  const rates = spreadOf(
    turns.map(({ ours, theirs }) => ours.requestsPerSecond / theirs.requestsPerSecond),
  );
  const costs = spreadOf(turns.map(({ ours, theirs }) => ours.microseconds / theirs.microseconds));
  const share = Number.isNaN(costs.median) ? 1 / rates.median : costs.median;
  return {
    ourRate: median(turns.map(({ ours }) => ours.requestsPerSecond)),
    ourCost: median(turns.map(({ ours }) => ours.microseconds)),
    theirCost: median(turns.map(({ theirs }) => theirs.microseconds)),
    rates,
    costs,
    isAsFast: share <= maxShare,
  };
}
