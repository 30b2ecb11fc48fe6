/** Which known paths somebody may have meant who asked for one that is not there. */

import leven from 'leven';

/** Longer paths are nobody's slip. */
const maxLength = 200;
const maxSuggestions = 3;
/** What part of the characters of a segment may differ. */
const differentPart = 0.4;
/** What a parameter costs: a path that is spelled out is nearer. */
const parameterCost = 0.5;
const maxCost = 3;

/** What callers leave out. */
const usualStart = '/api';

/**
 * Suggests paths for `path`, the nearest first, with the caller's own segments where the pattern has parameters.
 * `patterns` are as routes are written; those with a wildcard are left out.
 */
export function nearestPaths(path: string, patterns: Iterable<string>): readonly string[] {
  if (path.length > maxLength) return [];
  const asked = [path, usualStart + path].map(splitPath);
  const found = new Map<string, number>();
  for (const pattern of patterns) {
    if (pattern.includes('*')) continue;
    const segments = splitPath(pattern);
    for (const own of asked) {
      const cost = costOf(own, segments);
      if (cost === undefined) continue;
      const suggestion = `/${segments.map((each, at) => (isParameter(each) ? own[at] : each)).join('/')}`;
      if (cost < (found.get(suggestion) ?? maxCost)) found.set(suggestion, cost);
    }
  }
  found.delete(path);
  return [...found]
    .sort(([a, costOfA], [b, costOfB]) => costOfA - costOfB || (a < b ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(([suggestion]) => suggestion);
}

function costOf(own: readonly string[], segments: readonly string[]): number | undefined {
  if (own.length !== segments.length) return undefined;
  let cost = 0;
  let isAnySpelled = false;
  for (const [at, segment] of segments.entries()) {
    const mine = own[at] ?? '';
    if (isParameter(segment)) {
      cost += parameterCost;
      continue;
    }
    const slips = Math.floor(Math.max(mine.length, segment.length) * differentPart);
    if (Math.abs(mine.length - segment.length) > slips) return undefined;
    const distance = leven(mine.toLowerCase(), segment.toLowerCase());
    if (distance > slips) return undefined;
    isAnySpelled ||= segment !== usualStart.slice(1);
    cost += distance;
  }
  return isAnySpelled && cost < maxCost ? cost : undefined;
}

const isParameter = (segment: string) => segment.includes(':');

function splitPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
