/** Addresses that list what is below them: one of everything, and one of each area that has one. */

import { Type } from 'typebox';
import type { Infrastructure } from '../server/infrastructure.js';
import { listBelow } from '../server/route-catalogue.js';
import { prefixOf } from '../server/sandbox-address.js';

const schemaOf = (title: string) => ({
  summary: `Lists the endpoints of ${title}`,
  description: 'Every verb and path below this one. The whole of it is described by /openapi.json.',
  response: {
    200: Type.Object({
      endpoints: Type.Array(
        Type.Object({
          method: Type.String({ description: 'ANY stands for all verbs.' }),
          path: Type.String({ description: 'Names in braces stand for any text.' }),
          summary: Type.String(),
        }),
      ),
    }),
  },
});

export const areaIndexes: Infrastructure = {
  name: 'indexes',
  title: 'Indexes',
  guide: 'getting-started',
  start: '/api',
  summary: 'Lists of endpoints.',
  caching: 'revalidate',
  addRoutes(app, { areas, catalogue }) {
    const titles = new Map([['/api', 'everything below /api']]);
    for (const { index, title } of areas) {
      const others = index && titles.get(index);
      if (index) titles.set(index, others ? `${others} and ${title}` : title);
    }
    for (const [path, title] of titles) {
      // Routes are added later than these.
      app.get(path, { schema: schemaOf(title) }, ({ raw }) => ({
        endpoints: listBelow(catalogue.operations(), path).map((endpoint) => ({
          ...endpoint,
          path: prefixOf(raw) + endpoint.path,
        })),
      }));
    }
  },
};
