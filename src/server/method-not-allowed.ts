/** 405 with `Allow` (RFC 9110 section 15.5.6) for every verb that a known path does not take. */

import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { HttpError } from './http-error.js';

/** Notes the verbs of every path as routes are added. Call before the first route. */
export function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    methodsByPath.set(url, methods);
    for (const each of [method].flat()) methods.add(each);
  });
  return methodsByPath;
}

/**
 * Gives every path a route for the verbs it does not take. Routes, rather than a look-up in the
 * not-found handler: a path such as `/bins` must not fall through to a wider one such as `/:id`
 * just because that one takes the verb. Call after the last route.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  methodsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [url, taken] of [...methodsByPath]) {
    const others = METHODS.filter((method) => !taken.has(method));
    if (others.length === 0 || url === '*') continue;
    const allow = [...taken].sort().join(', ');
    app.route({
      method: others as HTTPMethods[],
      url,
      exposeHeadRoute: false,
      schema: { hide: true },
      handler: async ({ method }) => {
        const message = `${method} is not taken here. This path takes ${allow}.`;
        throw new HttpError(405, message, { headers: { allow } });
      },
    });
  }
}
