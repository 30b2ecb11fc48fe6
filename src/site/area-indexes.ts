/** Serves lists of endpoints: of the whole service, and of each area with an index. */

import { Type } from 'typebox';
import { prefixOf } from '#http/address/sandbox-address.js';
import { vary } from '#http/schemas/header-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { Infrastructure } from '#kit/infrastructure.js';
import { type Html, html } from '#kit/pages/html.js';
import { renderEndpoints, sendList } from '#kit/pages/list-page.js';
import { type IndexEntry, listBelow, type RouteCatalogue } from '#kit/route-catalogue.js';

const indexSchema = Type.Object({
  endpoints: Type.Array(
    Type.Object({
      method: Type.String({ description: 'ANY means all methods.' }),
      path: Type.String({ description: 'Names in braces are placeholders for any text.' }),
      summary: Type.String(),
    }),
  ),
});

export const areaIndexes: Infrastructure = {
  name: 'indexes',
  title: 'Indexes',
  guide: 'getting-started',
  summary: 'Lists of endpoints.',
  front: { start: '/api' },
  defaults: { caching: 'revalidate' },
  endpoints({ areas, catalogue }) {
    const paths = new Set(['/api', ...areas.flatMap(({ front }) => front.index ?? [])]);
    return [...paths].map((path) => {
      const listed = areas.filter(({ front }) => front.index === path);
      const title = listed.map((each) => each.title).join(' and ') || 'everything below /api';
      return listEndpoints(catalogue, path, title, listed[0]?.guide);
    });
  },
};

const listEndpoints = (
  catalogue: RouteCatalogue,
  path: string,
  title: string,
  guide = 'getting-started',
) =>
  endpoint('GET', path, {
    summary: path === '/api' ? 'List every endpoint' : `List the endpoints of ${title}`,
    description: 'Every method and path below this path; browsers get a page.',
    responses: { 200: indexSchema },
    responseHeaders: { 200: vary },
    before: catalogue.complete,
    handle(request, reply) {
      const prefix = prefixOf(request.raw);
      const endpoints = listBelow(catalogue.operations(), path).map((listed) => ({
        ...listed,
        path: prefix + listed.path,
      }));
      return sendList(request, reply, { endpoints }, (_listed, root) => {
        const linked = linkedOf(catalogue, prefix, root).filter(({ method, path: at }) =>
          endpoints.some((each) => each.method === method && each.path === at),
        );
        const says = `The endpoints of ${title}.`;
        return { title: path, says, guide, parts: renderByArea(catalogue, linked) };
      });
    },
  });

interface LinkedEndpoint extends IndexEntry {
  readonly area: string;
  readonly href: string;
}

/** All endpoints, with their links to the reference. */
function linkedOf(catalogue: RouteCatalogue, prefix: string, root: string): LinkedEndpoint[] {
  return catalogue.operations().map(({ method, path, summary, area, operationId }) => {
    const href = `${root}docs#/${area}/${operationId}`;
    return { method, path: prefix + path, summary, area, href };
  });
}

/** A list of several areas has contents, and a heading for each. */
function renderByArea(catalogue: RouteCatalogue, endpoints: readonly LinkedEndpoint[]): Html[] {
  const named = new Set(endpoints.map(({ area }) => area));
  const areas = [...new Set(catalogue.routes.map(({ area }) => area.area))].filter(({ name }) =>
    named.has(name),
  );
  if (areas.length <= 2) return [renderEndpoints(endpoints)];
  return [
    html`<nav class="links" aria-label="Contents">${areas.map(
      ({ name, title }) => html`<a href="#${name}">${title}</a> `,
    )}</nav>`,
    ...areas.flatMap(({ name, title }) => [
      html`<h2 id="${name}">${title}</h2>`,
      renderEndpoints(endpoints.filter(({ area }) => area === name)),
    ]),
  ];
}
