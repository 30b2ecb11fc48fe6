/** Shows browsers a page for what does not exist, and for unsupported methods. */

import { prefixOf, sentTargetOf } from '#http/address/sandbox-address.js';
import type { Request } from '#http/exchange.js';
import type { ErrorBody, ShapedFailure } from '#http/http-error.js';
import { html } from '#kit/pages/html.js';
import { fillShell, pagePolicy, pathToRoot } from '#kit/pages/send-page.js';

/** `suggestions` are similar paths from the root. Rejects if the pages have not been built. */
export async function showErrorPage(
  request: Request,
  { status, error, message }: ErrorBody,
  suggestions: readonly string[],
): Promise<ShapedFailure> {
  const { sandboxAddress } = request.raw;
  // Links must leave a path that names no sandbox.
  const isOutside = sandboxAddress !== undefined && sandboxAddress.sandbox === undefined;
  const root = pathToRoot(isOutside ? sentTargetOf(request.raw) : request.url);
  const prefix = isOutside ? '' : prefixOf(request.raw);
  // The guide has a heading for each kind of failure.
  const kind = error.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const shown = (path: string) => {
    const code = html`<code>${prefix}${path}</code>`;
    // A path with a parameter needs a value first.
    return path.includes('{') ? code : html`<a href="${root}${path.slice(1)}">${code}</a>`;
  };
  const body = html`<h1>${status} ${error}</h1>
      <p class="message">${message}</p>
      <p><a href="${root}guides/resources/problems#${kind}">What ${status} means</a></p>
      ${
        suggestions.length > 0 &&
        html`<h2>Did you mean</h2>
      <ul>${suggestions.map((path) => html`<li>${shown(path)}</li>`)}</ul>`
      }`;
  return {
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': pagePolicy(request, 'error'),
      'referrer-policy': 'no-referrer',
    },
    body: await fillShell('error', root, { '<!-- body -->': body.text }),
  };
}
