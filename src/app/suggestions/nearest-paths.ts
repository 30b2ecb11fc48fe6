/** Suggests existing paths for an unknown one. */

import leven from 'leven';

const maxLength = 200;
const maxSuggestions = 3;
/** Maximum part of a segment's characters that may differ. */
const differentPart = 0.4;
/** Cost of a parameter, so that a path without one is nearer. */
const parameterCost = 0.5;
const maxCost = 3;

/** A first segment that says nothing about the path. */
const usualStart = 'api';

/**
 * Makes the function that returns the nearest paths, with the caller's segments for parameters.
 * `patterns` are in the syntax of routes; a wildcard matches a few segments. `apart` are first segments that no caller
 * omits by mistake.
 */
export function nearestPaths(
  patterns: Iterable<string>,
  apart: readonly string[] = [],
): (path: string) => readonly string[] {
  const byLength = new Map<number, Pattern[]>();
  /** First segments, which a caller may have omitted. */
  const starts = new Set<string>();
  for (const segments of [...patterns].flatMap(withoutWildcard).sort().map(splitPath)) {
    // At least one other segment must match literally.
    const isSpelled = segments.some((each) => !each.includes(':') && each !== usualStart);
    if (!isSpelled) continue;
    const [start = '', ...others] = segments;
    const isStart = others.some((each) => !each.includes(':')) && !apart.includes(start);
    if (isStart) starts.add(start);
    const known = byLength.get(segments.length) ?? [];
    const before = known.at(-1)?.segments ?? [];
    const shared = segments.findIndex((each, index) => each !== before[index]);
    if (shared >= 0) known.push({ segments, shared });
    byLength.set(segments.length, known);
  }

  return (path) => {
    if (path.length > maxLength) return [];
    const own = splitPath(path);
    const found = new Map<string, number>();
    /** Paths of which the caller left only the start out. */
    const exact = new Set<string>();
    const withStarts = [...starts].map((start) => [start, ...own]);
    for (const asked of [own, ...withStarts]) {
      for (const [pattern, cost] of nearest(byLength.get(asked.length) ?? [], asked)) {
        if (asked !== own && !isLikelyWithoutStart(pattern, own)) continue;
        const segments = pattern.map((each, index) => (each.includes(':') ? asked[index] : each));
        const suggestion = `/${segments.join('/')}`;
        if (cost < (found.get(suggestion) ?? maxCost)) found.set(suggestion, cost);
        if (asked !== own && cost === costOfParameters(pattern)) exact.add(suggestion);
      }
    }
    found.delete(path);
    return [...found]
      .filter(([suggestion]) => exact.size === 0 || exact.has(suggestion))
      .sort(([a, costOfA], [b, costOfB]) => costOfA - costOfB || (a < b ? -1 : 1))
      .slice(0, maxSuggestions)
      .map(([suggestion]) => suggestion);
  };
}

/** Maximum number of segments that a wildcard matches. */
const maxWildSegments = 8;
const furtherWild = ':further';

/** The first segment of a wildcard costs as much as a parameter, the further ones nothing. */
function withoutWildcard(pattern: string): readonly string[] {
  if (!pattern.endsWith('/*')) return [pattern];
  const start = `${pattern.slice(0, -1)}:wild`;
  return Array.from(
    { length: maxWildSegments },
    (_, more) => start + `/${furtherWild}`.repeat(more),
  );
}

/**
 * Returns whether the path may lack the first segment of a pattern: another segment is literal, and
 * the next one begins like the path.
 */
function isLikelyWithoutStart([, first = '', ...others]: Segments, [own = '']: Segments): boolean {
  if (first.includes(':')) return others.some((each) => !each.includes(':'));
  return first.slice(0, 1).toLowerCase() === own.slice(0, 1).toLowerCase();
}

type Segments = readonly string[];

interface Pattern {
  readonly segments: Segments;
  /** Number of segments that the previous pattern also begins with. */
  readonly shared: number;
}

/** Returns the patterns with the same number of segments whose cost is low enough. */
function nearest(known: readonly Pattern[], asked: Segments): [Segments, number][] {
  const found: [Segments, number][] = [];
  /** Costs of the beginnings of the previous pattern, and how far it was compared. */
  const costs: number[] = [0];
  let end = 0;
  for (const { segments, shared } of known) {
    // It has the same beginning, which already costs too much.
    if (shared >= end && (costs[end] ?? 0) >= maxCost) continue;
    end = Math.min(end, shared);
    let cost = costs[end] ?? 0;
    while (end < asked.length && cost < maxCost) {
      cost += costOf(segments[end] as string, asked[end] as string);
      end += 1;
      costs[end] = cost;
    }
    if (cost < maxCost) found.push([segments, cost]);
  }
  return found;
}

function costOf(segment: string, mine: string): number {
  return segment.includes(':') ? costOfParameter(segment) : slipsBetween(mine, segment);
}

function costOfParameter(segment: string): number {
  return segment === furtherWild ? 0 : parameterCost;
}

function costOfParameters(pattern: Segments): number {
  const parameters = pattern.filter((each) => each.includes(':'));
  return parameters.reduce((sum, each) => sum + costOfParameter(each), 0);
}

/** Counts differing characters, ignoring case; returns infinity if they are too large a part. */
function slipsBetween(mine: string, spelled: string): number {
  const most = Math.floor(Math.max(mine.length, spelled.length) * differentPart);
  if (Math.abs(mine.length - spelled.length) > most) return Number.POSITIVE_INFINITY;
  const slips = leven(mine.toLowerCase(), spelled.toLowerCase(), { maxDistance: most + 1 });
  return slips > most ? Number.POSITIVE_INFINITY : slips;
}

function splitPath(path: string): Segments {
  return path.split('/').filter((segment) => segment !== '');
}
