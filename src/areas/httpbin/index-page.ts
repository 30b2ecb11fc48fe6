/** The page at the mount: what there is, from the table itself. */

import type { FastifyRequest } from 'fastify';
import type { HttpbinRoute } from './lab.js';
import type { OwnPaths } from './own-paths.js';

/** Made for each request, since links have what stands before the mount. */
export function indexPage(
  request: FastifyRequest,
  paths: OwnPaths,
  routes: readonly HttpbinRoute[],
): string {
  const items = routes.map(({ method, path, schema }) => {
    const verbs = [method].flat();
    const shown = `${verbs.length > 8 ? 'Any verb' : verbs.join(', ')} ${showPath(path)}`;
    const isLink = verbs.includes('GET') && !/[:*]/.test(path);
    const name = isLink ? `<a href="${paths.path(request, path)}">${shown}</a>` : shown;
    return `      <li>${name}: ${schema.summary}</li>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>httpbin</title>
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
