/** Percent-encoding in queries: RFC 3986 section 2.1. */

import type { FastifyInstance } from 'fastify';
import { HttpError } from '../http/http-error.js';

const shownCharacters = 12;

/** Where and why the query of a request target cannot be decoded; its names and values are UTF-8. */
export function queryFault(target: string): string | undefined {
  const start = target.indexOf('?') + 1;
  if (start === 0 || !target.includes('%', start)) return undefined;
  const query = target.slice(start);
  for (const { 0: escapes, index } of query.matchAll(/(?:%[\da-f]{2})+|%/gi)) {
    try {
      decodeURIComponent(escapes);
    } catch {
      const piece = JSON.stringify(query.slice(index, index + shownCharacters));
      return `The query is malformed at character ${index + 1}, which begins ${piece}: each % must be followed by two hex digits, which together make UTF-8.`;
    }
  }
  return undefined;
}

/** Before routes whose parameters mean something: what they would read is not what was meant. */
export function rejectMalformedQueries(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isShownAsItCame = request.routeOptions.config.takesEverything;
    const fault = isShownAsItCame ? undefined : queryFault(request.raw.url ?? '');
    done(fault === undefined ? undefined : new HttpError(400, fault));
  });
}
