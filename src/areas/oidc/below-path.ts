/** The paths of an issuer once more, below another path. */

import type { RouteShorthandOptions } from 'fastify';
import type { Request } from '../../http/exchange.js';
import type { App } from '../../kit/area.js';

/** An application to which they can be added there; `preHandler` says whether there is such an issuer. */
export function belowPath(
  app: App,
  above: string,
  preHandler: (request: Request) => Promise<void>,
): App {
  const below =
    (method: 'get' | 'post' | 'put' | 'delete') =>
    (path: string, options: RouteShorthandOptions, handler: never) => {
      // The description has them once, where the issuer itself is.
      const schema = { ...options.schema, describedAs: path };
      app[method](urlBelow(above, path), { ...options, schema, preHandler }, handler);
    };
  return {
    get: below('get'),
    post: below('post'),
    put: below('put'),
    delete: below('delete'),
  } as never;
}

/** Documents about an issuer stand before its path (RFC 8414 section 3.1, RFC 9728 section 3.1). */
function urlBelow(above: string, path: string): string {
  const [, document] = /^(\/\.well-known\/[\w-]+)\//.exec(path) ?? [];
  return document === undefined ? above + path : document + above + path.slice(document.length);
}
