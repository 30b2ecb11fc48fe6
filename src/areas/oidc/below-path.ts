/** The paths of an issuer once more, below another path. */

import { App } from '../../kit/app.js';
import type { Step } from '../../kit/endpoint.js';

/** Adds to an application what is added to the one that it returns, below a path; `beforeHandler` says whether there is such an issuer. */
export function belowPath(app: App, above: string, beforeHandler: Step): App {
  const below = new App();
  below.route = (method, path, options, handler) => {
    // The description has them once, where the issuer itself is.
    const schema = { ...options.schema, describedAs: path };
    app.route(
      method,
      urlBelow(above, path),
      { ...options, schema, beforeHandler },
      handler as never,
    );
  };
  return below;
}

/** Documents about an issuer stand before its path (RFC 8414 section 3.1, RFC 9728 section 3.1). */
function urlBelow(above: string, path: string): string {
  const [, document] = /^(\/\.well-known\/[\w-]+)\//.exec(path) ?? [];
  return document === undefined ? above + path : document + above + path.slice(document.length);
}
