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

/** A segment of all patterns with the same beginning, which is compared once. */
interface Segment {
  /** `undefined` for a parameter. */
  readonly spelled: string | undefined;
  readonly next: Map<string, Segment>;
  isEnd: boolean;
}

interface Reached {
  readonly segments: readonly string[];
  readonly cost: number;
  /** Whether a segment other than the usual start is no parameter. */
  readonly isSpelled: boolean;
}

/**
 * Makes the function that returns the nearest paths, with the caller's segments for parameters. `patterns` are as routes
 * are written; those with a wildcard are left out.
 */
export function suggestPaths(patterns: Iterable<string>): (path: string) => readonly string[] {
  const root = segmentOf('');
  for (const pattern of patterns) {
    if (!pattern.includes('*')) addTo(root, splitPath(pattern));
  }

  return (path) => {
    if (path.length > maxLength) return [];
    const own = splitPath(path);
    const found = new Map<string, number>();
    for (const asked of [own, [usualStart, ...own]]) {
      for (const { segments, cost } of reachable(root, asked)) {
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

function addTo(root: Segment, segments: readonly string[]): void {
  let last = root;
  for (const segment of segments) {
    const next = last.next.get(segment) ?? segmentOf(segment);
    last.next.set(segment, next);
    last = next;
  }
  last.isEnd = true;
}

/** Returns all patterns with as many segments that are near enough. */
function reachable(root: Segment, asked: readonly string[]): readonly Reached[] {
  const found: Reached[] = [];
  follow(root, { segments: [], cost: 0, isSpelled: false });
  return found;

  function follow({ next, isEnd }: Segment, reached: Reached): void {
    const { segments, cost, isSpelled } = reached;
    const mine = asked[segments.length];
    if (mine === undefined) {
      if (isEnd && isSpelled) found.push(reached);
      return;
    }
    for (const segment of next.values()) {
      const { spelled } = segment;
      const total = cost + (spelled === undefined ? parameterCost : slipsBetween(mine, spelled));
      if (total >= maxCost) continue;
      follow(segment, {
        segments: [...segments, spelled ?? mine],
        cost: total,
        isSpelled: isSpelled || (spelled !== undefined && spelled !== usualStart),
      });
    }
  }
}

/** Counts the characters that differ, without case; infinitely many if that is too large a part. */
function slipsBetween(mine: string, spelled: string): number {
  const most = Math.floor(Math.max(mine.length, spelled.length) * differentPart);
  if (Math.abs(mine.length - spelled.length) > most) return Number.POSITIVE_INFINITY;
  const slips = leven(mine.toLowerCase(), spelled.toLowerCase(), { maxDistance: most + 1 });
  return slips > most ? Number.POSITIVE_INFINITY : slips;
}

function segmentOf(segment: string): Segment {
  const spelled = segment.includes(':') ? undefined : segment;
  return { spelled, next: new Map(), isEnd: false };
}

function splitPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
