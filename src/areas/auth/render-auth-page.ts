/** What `GET /api/auth` shows browsers: the test credentials, to copy, and the endpoints that accept them. */

import type { TestCredential } from '../../kit/area.js';
import type { ListedEndpoint } from '../../kit/describe/collect-endpoints.js';
import { nameOperation } from '../../kit/describe/name-operation.js';
import { html } from '../../site/html.js';
import { type ListPage, renderEndpoints } from '../../site/list-page.js';

interface AuthPageParts {
  readonly root: string;
  /** What stands before each path inside a sandbox. */
  readonly prefix: string;
  readonly endpoints: readonly ListedEndpoint[];
  readonly credentials: readonly TestCredential[];
}

export function renderAuthPage({ root, prefix, endpoints, credentials }: AuthPageParts): ListPage {
  return {
    title: 'Authentication',
    says: 'The test credentials guard nothing: they are here to be used. Settings replace them.',
    guide: 'auth',
    section: 'auth',
    caching: 'no-store',
    parts: [
      html`<h2>Credentials</h2>
      <div class="values">${credentials.map(
        ({ title, parts }) =>
          html`<section class="card"><h3>${title}</h3><dl>${parts.map(
            ({ name, value }) =>
              html`<div><dt>${name}</dt><dd data-value="${title}, ${name}">${value}</dd></div>`,
          )}</dl></section>`,
      )}</div>
      <h2>Endpoints</h2>`,
      renderEndpoints(
        endpoints.map(({ method, path, summary }) => ({
          method,
          path: prefix + path,
          summary,
          href: `${root}docs#/auth/${nameOperation(method, path.replaceAll(/\{(\w+)\}/g, ':$1'))}`,
        })),
      ),
    ],
  };
}
