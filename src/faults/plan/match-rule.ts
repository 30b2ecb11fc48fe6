/**
 * Finds the rule of a plan that matches a request. Paths are compared by segment, as in the router.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { FaultPlan, Match } from './fault-plan.js';

export interface Attempted {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

type Test = (segments: readonly string[], request: Attempted) => boolean;

const testsOf = new WeakMap<FaultPlan, readonly Test[]>();

/**
 * Returns the index of the first matching rule, or -1. Compiles the rules once for each plan
 * object.
 */
export function findRule(plan: FaultPlan, request: Attempted): number {
  const tests = testsOf.get(plan) ?? plan.rules.map(({ match }) => matcherOf(match));
  testsOf.set(plan, tests);
  const segments = segmentsOf(request.path);
  return tests.findIndex((test) => test(segments, request));
}

function matcherOf({ method, path, header = {} }: Match): Test {
  // A method of gRPC is a path.
  const isRpc = method?.startsWith('/') === true;
  const wantedMethod = isRpc ? undefined : method?.toUpperCase();
  const wantedPath = path ?? (isRpc ? method : undefined);
  const wantedSegments =
    wantedPath === undefined || wantedPath === '*' ? undefined : segmentsOf(wantedPath);
  const wantedHeaders = Object.entries(header).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return (segments, request) =>
    (wantedMethod === undefined || wantedMethod === request.method) &&
    (wantedSegments === undefined || isPathMet(wantedSegments, segments)) &&
    wantedHeaders.every(([name, value]) => hasHeader(request.headers, name, value));
}

/** Ignores letter case and one slash at the end; keeps a malformed escape unchanged. */
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
  'A path is written like a route: it begins with a slash; :name matches one segment, and * at the end the rest, as in /api/Books/:id or /api/*';

export function pathFault(path: string): string | undefined {
  if (path === '*') return undefined;
  if (!path.startsWith('/')) return `${segmentRule}.`;
  if (/[?#]/.test(path)) return `${segmentRule}; it is compared without the query.`;
  if (/[()]/.test(path)) return `${segmentRule}; regular expressions are not supported.`;
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment.includes('*') && !(segment === '*' && isLast)) {
      return `${segmentRule}; * must be the whole last segment.`;
    }
    if (segment.includes(':') && !/^:\w+$/.test(segment)) {
      return `${segmentRule}; a :name must be a whole segment of letters, digits and underscores.`;
    }
  }
  return undefined;
}
