/** 405 with `Allow` (RFC 9110 section 15.5.6) for every verb that a known path does not take. */

import type { FastifyInstance, HTTPMethods, onRequestHookHandler } from 'fastify';
import FindMyWay from 'find-my-way';
import { HttpError } from '../http/http-error.js';

/** Which paths there are, by the same rules as routing: case, slashes, escapes, precedence. */
export interface KnownPaths {
  /** Which paths may have been meant by one that is not there, without a query; the nearest first. */
  readonly nearestTo: (path: string) => readonly string[];
  /** The verbs that the path of this URL takes, sorted; `undefined` when nothing is there. */
  readonly methodsAt: (url: string) => readonly string[] | undefined;
}

export interface PathRules {
  readonly caseSensitive: boolean;
  readonly ignoreTrailingSlash: boolean;
  readonly maxParamLength: number;
}

/**
 * Verbs that clients send. Of the others there are so many that a route for each at each path would be
 * most of the routes, and of the time to start.
 */
const usualMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
const isUnusual = (method: string) => !usualMethods.includes(method);

/** Refuses unusual verbs at narrower paths that would reach a route of a wider one. Call before the first route. */
export function rejectUnusualMethods(app: FastifyInstance, { methodsAt }: KnownPaths): void {
  const rejectUnusual: onRequestHookHandler = ({ method, url }, _reply, done) => {
    const allowed = isUnusual(method) ? methodsAt(url) : undefined;
    if (allowed !== undefined && !allowed.includes(method)) throw methodNotAllowed(method, allowed);
    done();
  };

  app.addHook('onRoute', (route) => {
    if (isWide(route.url) && [route.method].flat().some(isUnusual)) {
      route.onRequest = [rejectUnusual, ...[route.onRequest ?? []].flat()];
    }
  });
}

/** Whether a path pattern matches more than itself. */
function isWide(path: string): boolean {
  return /[:*]/.test(path);
}

/** Finds what belongs to the path pattern that a URL matches, by the rules of routing. */
export function findPaths<Value>(
  valueByPath: ReadonlyMap<string, Value>,
  rules: PathRules,
): (url: string) => Value | undefined {
  const router = FindMyWay(rules);
  // One verb stands for all, since only the path matters.
  for (const [path, value] of valueByPath) router.on('GET', path, () => {}, value);
  return (url) => router.find('GET', url)?.store;
}

export function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  const allow = allowed.join(', ');
  const message = `${method} is not supported here. This path supports ${allow}.`;
  return new HttpError(405, message, { headers: { allow } });
}

/**
 * What is not routed reaches the not-found handler, which answers 405 at known paths. But a path such
 * as `/bins` must not fall through to a wider one such as `/:id` because only that one takes the verb:
 * there, it gets a route that refuses; unusual verbs are refused by the wider one. `methodsByPath` are the
 * paths of the application.
 */
export function rejectFallingThrough(
  app: FastifyInstance,
  methodsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const patterns = [...methodsByPath].map(([path, methods]) => {
    return { path, segments: path.toLowerCase().split('/'), methods };
  });
  const widePatterns = patterns.filter(({ path }) => isWide(path));
  for (const { path, segments, methods: taken } of patterns) {
    const wider = widePatterns.filter((other) => {
      return other.path !== path && covers(other.segments, segments);
    });
    if (wider.length === 0) continue;
    const fallingThrough = usualMethods.filter(
      (method) => !taken.has(method) && wider.some(({ methods }) => methods.has(method)),
    );
    if (fallingThrough.length === 0) continue;
    const allowed = [...taken].sort();
    app.route({
      method: fallingThrough as HTTPMethods[],
      url: path,
      exposeHeadRoute: false,
      schema: { hide: true },
      handler: async ({ method }) => {
        throw methodNotAllowed(method, allowed);
      },
    });
  }
}

/** Whether a path pattern also matches what another one matches, parameters standing for anything. */
function covers(wider: readonly string[], segments: readonly string[]): boolean {
  const { length } = wider;
  // Most differ in this already, and every pair is looked at. A star stands for nothing as well.
  const isAsLong =
    wider[length - 1] === '*' ? segments.length >= length - 1 : segments.length === length;
  return (
    isAsLong &&
    wider.every(
      (segment, index) => segment === '*' || segment.includes(':') || segment === segments[index],
    )
  );
}
