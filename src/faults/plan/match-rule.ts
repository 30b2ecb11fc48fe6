/** Which rule of a plan a request meets. Paths are compared as the router compares them: by segment. */

import type { IncomingHttpHeaders } from 'node:http';
import type { FaultPlan, Match } from './fault-plan.js';

export interface Attempted {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Says which is the first rule that a request meets. */
export type RuleFinder = (request: Attempted) => number | undefined;

type Test = (segments: readonly string[], request: Attempted) => boolean;

const finders = new WeakMap<FaultPlan, RuleFinder>();

/** The finder of a plan, which is made once of each plan object. */
export function ruleFinderOf(plan: FaultPlan): RuleFinder {
  const known = finders.get(plan);
  if (known !== undefined) return known;
  const tests = plan.rules.map(({ match }) => matcherOf(match));
  const find: RuleFinder = (request) => {
    const segments = segmentsOf(request.path);
    const index = tests.findIndex((test) => test(segments, request));
    return index < 0 ? undefined : index;
  };
  finders.set(plan, find);
  return find;
}

function matcherOf({ method, path, header = {} }: Match): Test {
  const wantedMethod = method?.toUpperCase();
  const wantedSegments = path === undefined || path === '*' ? undefined : segmentsOf(path);
  const wantedHeaders = Object.entries(header).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return (segments, request) =>
    (wantedMethod === undefined || wantedMethod === request.method) &&
    (wantedSegments === undefined || isPathMet(wantedSegments, segments)) &&
    wantedHeaders.every(([name, value]) => hasHeader(request.headers, name, value));
}

/** Letter case and one slash at the end do not matter; a malformed escape stands for itself. */
function segmentsOf(path: string): readonly string[] {
  const isSlashIgnored = path.length > 1 && path.endsWith('/');
  const trimmed = isSlashIgnored ? path.slice(0, -1) : path;
  return trimmed.split('/').slice(1).map(decode);
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment.toLowerCase();
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

function isPathMet(wanted: readonly string[], segments: readonly string[]): boolean {
  for (const [index, each] of wanted.entries()) {
    const segment = segments[index];
    if (each === '*') return segment !== undefined;
    if (segment === undefined) return false;
    if (each.startsWith(':') ? segment === '' : segment !== each) return false;
  }
  return wanted.length === segments.length;
}

function hasHeader(headers: IncomingHttpHeaders, name: string, value: string): boolean {
  if (!Object.hasOwn(headers, name)) return false;
  const sent = headers[name];
  return (Array.isArray(sent) ? sent.join(', ') : sent) === value;
}

const segmentRule =
  'A path is written as routes are: it begins with a slash, :name stands for one segment and * at the end for the rest, as in /api/Books/:id or /api/*';

/** What is wrong with the path of a rule; `undefined` when nothing is. */
export function pathFault(path: string): string | undefined {
  if (path === '*') return undefined;
  if (!path.startsWith('/')) return `${segmentRule}.`;
  if (/[?#]/.test(path)) return `${segmentRule}; it is compared without the query.`;
  if (/[()]/.test(path)) return `${segmentRule}; regular expressions are not supported.`;
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment.includes('*') && !(segment === '*' && isLast)) {
      return `${segmentRule}; * stands alone, and last.`;
    }
    if (segment.includes(':') && !/^:\w+$/.test(segment)) {
      return `${segmentRule}; a name is letters, digits and underscores, and has a segment of its own.`;
    }
  }
  return undefined;
}
