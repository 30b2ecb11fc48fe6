/** Suggests existing paths for an unknown one. */

import leven from 'leven';

const maxLength = 200;
const maxSuggestions = 3;
/** The part of the characters of a segment that may differ. */
const differentPart = 0.4;
/** Of a parameter: a path without one is nearer. */
const parameterCost = 0.5;
const maxCost = 3;

/** A segment that callers leave out. */
const usualStart = 'api';

/**
 * Makes the function that returns the nearest paths, with the caller's segments for parameters. `patterns` are as routes
 * are written; those with a wildcard are left out.
 */
export function suggestPaths(patterns: Iterable<string>): (path: string) => readonly string[] {
  const byLength = new Map<number, Segments[]>();
  for (const segments of [...patterns].map(splitPath)) {
    // At least one other segment must be spelled out.
    const isSpelled = segments.some((each) => !each.includes(':') && each !== usualStart);
    if (!isSpelled || segments.includes('*')) continue;
    const { length } = segments;
    byLength.set(length, [...(byLength.get(length) ?? []), segments]);
  }

  return (path) => {
    if (path.length > maxLength) return [];
    const own = splitPath(path);
    const found = new Map<string, number>();
    for (const asked of [own, [usualStart, ...own]]) {
      for (const [pattern, cost] of nearest(byLength.get(asked.length) ?? [], asked)) {
        const segments = pattern.map((each, place) => (each.includes(':') ? asked[place] : each));
        const suggestion = `/${segments.join('/')}`;
        if (cost < (found.get(suggestion) ?? maxCost)) found.set(suggestion, cost);
      }
    }
    found.delete(path);
    return [...found]
      .sort(([a, costOfA], [b, costOfB]) => costOfA - costOfB || (a < b ? -1 : 1))
      .slice(0, maxSuggestions)
      .map(([suggestion]) => suggestion);
  };
}

type Segments = readonly string[];

/** Returns the patterns, all with as many segments, whose cost is low enough. */
function nearest(known: readonly Segments[], asked: Segments): [Segments, number][] {
  const slips = asked.map(() => new Map<string, number>());
  const found: [Segments, number][] = [];
  for (const pattern of known) {
    let cost = 0;
    for (let place = 0; place < asked.length && cost < maxCost; place++) {
      const segment = pattern[place] as string;
      let own = slips[place]?.get(segment);
      if (own === undefined) {
        own = segment.includes(':') ? parameterCost : slipsBetween(asked[place] as string, segment);
        slips[place]?.set(segment, own);
      }
      cost += own;
    }
    if (cost < maxCost) found.push([pattern, cost]);
  }
  return found;
}

/** Counts the characters that differ, without case; infinitely many if that is too large a part. */
function slipsBetween(mine: string, spelled: string): number {
  const most = Math.floor(Math.max(mine.length, spelled.length) * differentPart);
  if (Math.abs(mine.length - spelled.length) > most) return Number.POSITIVE_INFINITY;
  const slips = leven(mine.toLowerCase(), spelled.toLowerCase(), { maxDistance: most + 1 });
  return slips > most ? Number.POSITIVE_INFINITY : slips;
}

function splitPath(path: string): Segments {
  return path.split('/').filter((segment) => segment !== '');
}
