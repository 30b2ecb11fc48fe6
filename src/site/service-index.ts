/** The response to `GET /`: where to begin, as a page to browsers and as JSON to everyone else. */

import { type Static, Type } from 'typebox';
import { lazily } from '../base/lazily.js';
import { packageVersion } from '../base/package-folder.js';
import { addVary } from '../http/caching/caching.js';
import { contentOf, sendContent } from '../http/caching/content.js';
import type { Reply, Request } from '../http/exchange.js';
import { prefersPage } from '../http/prefers-page.js';
import { prefixOf, sentTargetOf } from '../http/sandbox-address.js';
import { ifNoneMatch, optional, vary } from '../kit/describe/header-schemas.js';
import type { Infrastructure } from '../kit/infrastructure.js';
import { type LandingPlace, landingPage } from './landing/landing-page.js';
import { listEndpoints } from './landing/list-endpoints.js';
import { pageResponseHeaders, sendPage } from './send-page.js';

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

export const serviceIndex: Infrastructure = {
  name: 'index',
  title: 'Index',
  guide: 'getting-started',
  defaults: {
    caching: 'revalidate',
  },
  front: {
    start: '/',
  },
  summary: 'This list.',
  addRoutes(app, { areas, baseUrlOf, catalogue, config }) {
    const landing = landingPage({ areas, config, operations: () => catalogue.operations() });
    const schema = {
      summary: 'List the areas, or open the front page in a browser',
      description:
        'Every area with its summary and the address to begin with. The whole of it is described by /openapi.json.',
      described: { headers: ifNoneMatch },
      response: {
        200: {
          description: 'The areas, or the page that shows them.',
          content: {
            'application/json': {
              schema: Type.Unsafe<Static<typeof indexSchema> | Reply>(indexSchema),
            },
            'text/html': { schema: Type.Unsafe<Reply>({ type: 'string' }) },
          },
        },
        304: Type.Null({ description: 'The browser has the page already.' }),
      },
      responseHeaders: {
        200: { ...vary, ...optional(pageResponseHeaders[200]) },
        304: { ...vary, ...pageResponseHeaders[304] },
      },
    };
    // The page asks for them when the first area is opened: most visitors open few.
    const endpoints = lazily(() =>
      contentOf(
        Buffer.from(JSON.stringify(listEndpoints(areas, catalogue.operations()))),
        'application/json; charset=utf-8',
      ),
    );
    app.get('/endpoints.json', { schema: { hide: true } }, async (request, reply) => {
      reply.header('cache-control', 'no-cache');
      return sendContent(request, reply, endpoints());
    });
    app.get('/', { schema }, async (request: Request, reply: Reply) => {
      addVary(reply, 'Accept');
      const baseUrl = baseUrlOf(request);
      if (prefersPage(request.headers.accept)) {
        const page = await landing({ baseUrl, ...placeOf(request) });
        return sendPage(request, reply, 'landing', page);
      }
      return {
        name: 'Practice API',
        version: packageVersion,
        description: 'The service that people practise API clients and tests against.',
        areas: areas.map(({ name, summary, front: { start, page } }) => ({
          name,
          summary,
          start: `${baseUrl}${start}`,
          ...(page && { page: baseUrl + page.path }),
        })),
      };
    });
  },
};

function placeOf({ raw }: Request): Omit<LandingPlace, 'baseUrl'> {
  const [path = ''] = sentTargetOf(raw).split('?', 1);
  return { isInside: prefixOf(raw) !== '', isWithoutSlash: !path.endsWith('/') };
}
