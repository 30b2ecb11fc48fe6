/** Writes the results of a suite as a Markdown table. */

import { table } from '../harness/report.js';

const headings = [
  ...['request', 'server', 'processor per request:', 'theirs ÷ ours:', 'spread'],
  ...['requests/s:', 'ours ÷ theirs:', 'spread', 'memory after load:', 'first response:'],
];

/** @param {readonly import('./run-suite.js').CaseResult[]} cases */
export function suiteTable(cases) {
  const rows = cases.flatMap(({ name, scores, absent }) => [
    ...scores.map((score, index) => {
      const isOurs = index === 0;
      return [
        name,
        score.contender,
        describe(score.processorMicroseconds, 1, ' µs'),
        isOurs ? '' : describe(score.processorRatio),
        isOurs ? '' : describeSpread(score.processorSpread),
        Math.round(score.requestsPerSecond).toLocaleString('en'),
        isOurs ? '' : describe(score.ratio),
        isOurs ? '' : describeSpread(score.spread),
        `${Math.round(score.residentMebibytes)} MiB`,
        `${Math.round(score.startMs)} ms`,
      ];
    }),
    ...absent.map(({ contender, reason }) => [
      ...[name, contender, `absent: ${reason}`],
      ...Array(headings.length - 3).fill(''),
    ]),
  ]);
  return table(headings, rows);
}

/**
 * Writes a figure, or nothing if the system does not report it.
 *
 * @param {number | null | undefined} value
 * @param {number} [digits]
 * @param {string} [unit]
 */
function describe(value, digits = 2, unit = '') {
  const isKnown = typeof value === 'number' && Number.isFinite(value);
  return isKnown ? value.toFixed(digits) + unit : '';
}

/** @param {readonly [number | null, number | null] | undefined} spread */
function describeSpread(spread) {
  const ratios = spread?.map((ratio) => describe(ratio)) ?? [''];
  return ratios.includes('') ? '' : ratios.join('–');
}
