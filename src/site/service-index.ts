/** What `GET /` answers: the areas of this service and where to begin in each. */

import { Type } from 'typebox';
import { packageVersion } from '../package-version.js';
import type { Area } from '../server/area.js';

const indexSchema = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  areas: Type.Array(
    Type.Object({
      name: Type.String(),
      summary: Type.String(),
      start: Type.String({ description: 'Where to look first.' }),
      page: Type.Optional(Type.String({ description: 'A page for people.' })),
    }),
  ),
});

export function serviceIndex(areas: readonly Area[]): Area {
  return {
    name: 'index',
    title: 'Index',
    start: '/',
    summary: 'This list.',
    addRoutes(app, { baseUrlOf }) {
      const schema = {
        summary: 'Lists what this service offers',
        description:
          'Every area with its summary and the address to begin with. The whole of it is described by /openapi.json.',
        response: { 200: indexSchema },
      };
      app.get('/', { schema }, async (request) => ({
        name: 'Practice API',
        version: packageVersion,
        description: 'The service that people practise API clients and tests against.',
        areas: areas.map(({ name, summary, start, page }) => ({
          name,
          summary,
          start: `${baseUrlOf(request)}${start}`,
          ...(page && { page: `${baseUrlOf(request)}${page}` }),
        })),
      }));
    },
  };
}
