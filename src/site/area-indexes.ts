/** Addresses that list what is below them: one of everything, and one of each area that has one. */

import { type Static, Type } from 'typebox';
import type { Reply, Request } from '../http/exchange.js';
import { prefixOf } from '../http/sandbox-address.js';
import { vary } from '../kit/describe/header-schemas.js';
import type { Infrastructure } from '../kit/infrastructure.js';
import { type IndexEntry, listBelow, type RouteCatalogue } from '../kit/route-catalogue.js';
import { renderEndpoints, sendList } from './list-page.js';

const schemaOf = (title: string) => ({
  summary: title.startsWith('every') ? 'List every endpoint' : `List the endpoints of ${title}`,
  description: 'Every method and path below this one; browsers get a page.',
  response: { 200: Type.Unsafe<Static<typeof indexSchema> | Reply>(indexSchema) },
  responseHeaders: { 200: vary },
});

const indexSchema = Type.Object({
  endpoints: Type.Array(
    Type.Object({
      method: Type.String({ description: 'ANY stands for all methods.' }),
      path: Type.String({ description: 'Names in braces stand for any text.' }),
      summary: Type.String(),
    }),
  ),
});

export const areaIndexes: Infrastructure = {
  name: 'indexes',
  title: 'Indexes',
  guide: 'getting-started',
  front: {
    start: '/api',
  },
  summary: 'Lists of endpoints.',
  defaults: {
    caching: 'revalidate',
  },
  addRoutes(app, { areas, catalogue }) {
    const titles = new Map([['/api', 'everything below /api']]);
    for (const { title, front } of areas) {
      const { index } = front;
      const others = index && titles.get(index);
      if (index) titles.set(index, others ? `${others} and ${title}` : title);
    }
    for (const [path, title] of titles) {
      const guide = areas.find(({ front }) => front.index === path)?.guide;
      // Routes are added later than these.
      app.get(path, { schema: schemaOf(title) }, (request: Request, reply: Reply) => {
        const prefix = prefixOf(request.raw);
        const endpoints = listBelow(catalogue.operations(), path).map((endpoint) => ({
          ...endpoint,
          path: prefix + endpoint.path,
        }));
        return sendList(request, reply, { endpoints }, (listed, root) => ({
          title: path,
          says: `The endpoints of ${title}.`,
          guide: guide ?? 'getting-started',
          parts: [renderEndpoints(withLinks(listed.endpoints, prefix, root, catalogue))],
        }));
      });
    }
  },
};

/** Each leads to its operation in the reference. */
function withLinks(
  endpoints: readonly IndexEntry[],
  prefix: string,
  root: string,
  catalogue: RouteCatalogue,
) {
  const addresses = new Map<string, string>();
  for (const { method, path, area, operationId } of catalogue.operations()) {
    const address = `${root}docs#/${area}/${operationId}`;
    addresses.set(`${method} ${prefix}${path}`, address);
    addresses.set(`ANY ${prefix}${path}`, address);
  }
  return endpoints.map((endpoint) => ({
    ...endpoint,
    href: addresses.get(`${endpoint.method} ${endpoint.path}`),
  }));
}
