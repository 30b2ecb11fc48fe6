/** The index of the area: all credentials and endpoints, as JSON and as a page. */

import { Type } from 'typebox';
import type { Config } from '#config/settings.js';
import { prefixOf } from '#http/address/sandbox-address.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { vary } from '#http/schemas/header-schemas.js';
import type { TestCredential } from '#kit/area.js';
import { endpointSchema, listEndpoints, operationOf } from '#kit/describe/collect-endpoints.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import type { ListedCredentials } from '#kit/offers/credentials.js';
import { html } from '#kit/pages/html.js';
import { type ListPage, renderEndpoints, sendList } from '#kit/pages/list-page.js';
import { listCredentials } from './list-credentials.js';
import type { Scheme } from './scheme.js';

export function listAll(
  schemes: readonly Scheme[],
  config: Config,
  others: readonly ListedCredentials[],
  endpoints: () => readonly Endpoint[],
): Endpoint {
  const indexes = schemes.flatMap(({ index = [] }) => index);
  const own: object = Object.assign({}, ...indexes.map(({ read }) => read(config)));
  const listed = [...indexes, ...others].map(({ schema }) => schema);
  return endpoint('GET', '/api/auth', {
    summary: 'List all credentials and endpoints',
    description:
      'The test credentials are public on purpose: use them freely. Settings replace them. Browsers get a page.',
    responses: {
      200: Type.Object({
        credentials: Type.Object(Object.assign({}, ...listed), {
          description: 'Public on purpose: use them freely.',
        }),
        endpoints: Type.Array(endpointSchema),
      }),
    },
    responseHeaders: { 200: vary },
    // Browsers cannot send a service key when they open a page.
    isOpen: ({ headers }) => prefersPage(headers.accept),
    handle(request, reply) {
      const prefix = prefixOf(request.raw);
      const ofOthers = others.map(({ title, read }) => ({
        title,
        values: read(request.baseUrl),
      }));
      const index = {
        credentials: Object.assign({}, own, ...ofOthers.map(({ values }) => values)),
        endpoints: listEndpoints(endpoints()).map((each) => ({
          ...each,
          path: prefix + each.path,
        })),
      };
      return sendList(request, reply, index, (_listed, root) => {
        const cards = schemes.flatMap(({ credentials }) => credentials?.(config) ?? []);
        cards.push(...ofOthers.flatMap(({ title, values }) => listCredentials(title, values)));
        return pageOf(cards, endpoints(), prefix, root);
      });
    },
  });
}

function pageOf(
  credentials: readonly TestCredential[],
  endpoints: readonly Endpoint[],
  prefix: string,
  root: string,
): ListPage {
  return {
    title: 'Authentication',
    says: 'The test credentials are public on purpose: use them freely. Settings replace them.',
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
        endpoints.flatMap((each) =>
          listEndpoints([each]).map(({ method, path, summary }) => ({
            method,
            path: prefix + path,
            summary,
            href: `${root}docs#/auth/${operationOf(each)}`,
          })),
        ),
      ),
    ],
  };
}
