/** The page at the mount: what there is, from the table itself. */

import { hash } from 'node:crypto';
import type { Request } from '../../http/exchange.js';
import type { HttpbinRoute } from './lab.js';
import type { OwnPaths } from './own-paths.js';

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'h1{line-height:1.2}li{margin:.25rem 0}a,code{font-family:ui-monospace,monospace}';

/** The page loads nothing and runs nothing. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; frame-ancestors 'none'`;

/** Made for each request, since links have what stands before the mount. */
export function indexPage(
  request: Request,
  paths: OwnPaths,
  routes: readonly HttpbinRoute[],
): string {
  const items = routes.map(({ method, path, schema }) => {
    const methods = [method].flat();
    const shown = `${methods.length > 8 ? 'Any method' : methods.join(', ')} ${showPath(path)}`;
    const isLink = methods.includes('GET') && !/[:*]/.test(path);
    const name = isLink
      ? `<a href="${paths.path(request, path)}">${shown}</a>`
      : `<code>${shown}</code>`;
    return `      <li>${name}: ${schema.summary}</li>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>httpbin</title>
    <style>${style}</style>
  </head>
  <body>
    <h1>httpbin</h1>
    <p>An HTTP Request &amp; Response Service, with httpbin's paths and JSON.</p>
    <ul>
${items.join('\n')}
    </ul>
  </body>
</html>
`;
}

function showPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{anything}');
}
