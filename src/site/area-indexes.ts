/** Serves lists of endpoints: of the whole service, and of each area with an index. */

import { Type } from 'typebox';
import { prefixOf } from '../http/address/sandbox-address.js';
import { vary } from '../http/schemas/header-schemas.js';
import { endpoint } from '../kit/endpoint.js';
import type { Infrastructure } from '../kit/infrastructure.js';
import { renderEndpoints, sendList } from '../kit/pages/list-page.js';
import { listBelow, type RouteCatalogue } from '../kit/route-catalogue.js';

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
    handle(request, reply) {
      const prefix = prefixOf(request.raw);
      const endpoints = listBelow(catalogue.operations(), path).map((listed) => ({
        ...listed,
        path: prefix + listed.path,
      }));
      return sendList(request, reply, { endpoints }, (_listed, root) => {
        const hrefs = referencesOf(catalogue, prefix, root);
        const linked = endpoints.map((each) => ({
          ...each,
          href: hrefs.get(`${each.method} ${each.path}`),
        }));
        const says = `The endpoints of ${title}.`;
        return { title: path, says, guide, parts: [renderEndpoints(linked)] };
      });
    },
  });

/** Links to endpoints in the reference, by method and path. */
function referencesOf(catalogue: RouteCatalogue, prefix: string, root: string) {
  return new Map(
    catalogue.operations().map(({ method, path, area, operationId }) => {
      const href = `${root}docs#/${area}/${operationId}`;
      return [`${method} ${prefix}${path}`, href] as const;
    }),
  );
}
