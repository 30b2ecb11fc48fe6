/** Judges what a sample of careless changes shows of the tests. */

import { areaOf, groupBy } from './choose.js';

/**
 * @typedef {object} Judged
 * @property {string} name
 * @property {string} file
 * @property {boolean} isFound
 * @property {string} by What noticed it, or what did not
 */

/** In percent. */
export const mostSurviving = { all: 10, area: 20 };

/** A single change of fewer would decide about an area. */
const fewestOfArea = 5;

/**
 * Returns the counts of each area, `all` last, and what is beyond the limits.
 *
 * @param {readonly Judged[]} judged
 */
export function verdictOf(judged) {
  const areas = [...groupBy(judged, ({ file }) => areaOf(file))].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const rows = [...areas, /** @type {const} */ (['all', judged])].map(([area, own]) => {
    const survived = own.filter(({ isFound }) => !isFound).length;
    return { area, count: own.length, survived, percent: (100 * survived) / (own.length || 1) };
  });
  const faults = rows.flatMap(({ area, count, survived, percent }) => {
    const most = area === 'all' ? mostSurviving.all : mostSurviving.area;
    if (percent <= most || (area !== 'all' && count < fewestOfArea)) return [];
    return `${area}: ${survived} of ${count} survived, more than ${most} %`;
  });
  return { rows, faults };
}
