/** 405 with `Allow` (RFC 9110 section 15.5.6) for every verb that a known path does not take. */

import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import FindMyWay from 'find-my-way';
import { HttpError } from './http-error.js';

/** Which paths there are, by the same rules as routing: case, slashes, escapes, precedence. */
export interface KnownPaths {
  /** The verbs of every path pattern. */
  readonly methodsByPath: ReadonlyMap<string, ReadonlySet<string>>;
  /** The verbs that the path of this URL takes, sorted; `undefined` when nothing is there. */
  readonly methodsAt: (url: string) => readonly string[] | undefined;
}

export interface PathRules {
  readonly caseSensitive: boolean;
  readonly ignoreTrailingSlash: boolean;
  readonly maxParamLength: number;
}

/** Takes note of every route that is added from now on. Call before the first. */
export function collectPaths(app: FastifyInstance, rules: PathRules): KnownPaths {
  const methodsByPath = new Map<string, Set<string>>();
  const router = FindMyWay(rules);
  app.addHook('onRoute', ({ url, method }) => {
    let methods = methodsByPath.get(url);
    if (methods === undefined) {
      methods = new Set();
      methodsByPath.set(url, methods);
      // One verb stands for all: only the path matters here.
      router.on('GET', url, () => {}, methods);
    }
    for (const each of [method].flat()) methods.add(each);
  });

  return {
    methodsByPath,
    methodsAt(url) {
      const methods: Set<string> | undefined = router.find('GET', url)?.store;
      return methods && [...methods].sort();
    },
  };
}

export function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  const allow = allowed.join(', ');
  const message = `${method} is not taken here. This path takes ${allow}.`;
  return new HttpError(405, message, { headers: { allow } });
}

/**
 * What is not routed reaches the not-found handler, which answers 405 at known paths. But a path such
 * as `/bins` must not fall through to a wider one such as `/:id` because only that one takes the verb:
 * there, it gets a route that refuses. Call after the last route.
 */
export function refuseFallingThrough(app: FastifyInstance, { methodsByPath }: KnownPaths): void {
  for (const [path, taken] of [...methodsByPath]) {
    const wider = [...methodsByPath].filter(([other]) => other !== path && covers(other, path));
    const fallingThrough = METHODS.filter(
      (method) => !taken.has(method) && wider.some(([, methods]) => methods.has(method)),
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
function covers(wider: string, path: string): boolean {
  const widerSegments = wider.split('/');
  const segments = path.split('/');
  for (const [index, segment] of widerSegments.entries()) {
    if (segment === '*') return true;
    const other = segments[index];
    if (other === undefined) return false;
    if (!segment.includes(':') && segment.toLowerCase() !== other.toLowerCase()) return false;
  }
  return segments.length === widerSegments.length;
}
