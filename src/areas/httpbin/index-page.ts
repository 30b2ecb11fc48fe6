/** The index page, which lists the endpoints. */

import { hash } from 'node:crypto';
import type { Request } from '#http/exchange.js';
import { text } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { document, html, mount, ownPath, type Row } from './spec.js';

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'h1{line-height:1.2}li{margin:.25rem 0}a,code{font-family:ui-monospace,monospace}';

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; frame-ancestors 'none'`;

export const listEndpoints = (table: readonly Row[]) =>
  endpoint('GET', mount, {
    summary: 'List the endpoints of httpbin',
    responses: document('text/html'),
    responseHeaders: {
      200: { 'Content-Security-Policy': text('The page loads and runs nothing.') },
    },
    handle: (request, reply) =>
      reply
        .type(html)
        .header('content-security-policy', policy)
        .send(page(table.map((row) => listItem(request, row)))),
  });

function listItem(request: Request, [method, path, { summary }]: Row): string {
  const methods = [method].flat();
  const shownPath = path.replace(/:(\w+)/g, '{$1}').replace('*', '{anything}');
  const shown = `${methods.length > 8 ? 'Any method' : methods.join(', ')} ${shownPath}`;
  const name =
    methods.includes('GET') && shownPath === path
      ? `<a href="${ownPath(request, path)}">${shown}</a>`
      : `<code>${shown}</code>`;
  return `      <li>${name}: ${summary}</li>`;
}

const page = (items: readonly string[]) => `<!doctype html>
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
