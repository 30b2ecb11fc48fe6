/** Whether a build is as fast as another: pure, so that it can be tested without a run. */

import { median } from '../bench/harness.js';

/** How much more a request may cost. */
const maxShare = 1.03;

/**
 * @typedef {object} Turn What both builds did, one right after the other
 * @property {number} ourRate Requests per second
 * @property {number} theirRate
 * @property {number} ourCost Processor time per request, in µs
 * @property {number} theirCost
 */

/**
 * What others do on the machine lengthens waiting much more than it adds processor time, so that is what is
 * judged where the system tells it.
 *
 * @param {readonly Turn[]} turns
 */
export function judgeBuilds(turns) {
  const rates = ratios(turns.map(({ ourRate, theirRate }) => ourRate / theirRate));
  const costs = ratios(turns.map(({ ourCost, theirCost }) => ourCost / theirCost));
  const share = Number.isNaN(costs.median) ? 1 / rates.median : costs.median;
  return {
    ourRate: median(turns.map(({ ourRate }) => ourRate)),
    ourCost: median(turns.map(({ ourCost }) => ourCost)),
    theirCost: median(turns.map(({ theirCost }) => theirCost)),
    rates,
    costs,
    isAsFast: share <= maxShare,
  };
}

/** @param {readonly number[]} values */
function ratios(values) {
  return { median: median([...values]), least: Math.min(...values), most: Math.max(...values) };
}
