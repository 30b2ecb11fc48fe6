/** The response to `GET /`: where to begin, as a page to browsers and as JSON to everyone else. */

import { Type } from 'typebox';
import { lazily } from '../base/lazily.js';
import { packageVersion } from '../base/package/package-files.js';
import { addVary } from '../http/caching/caching.js';
import { contentOf, sendContent } from '../http/caching/content.js';
import { prefersPage } from '../http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '../http/schemas/header-schemas.js';
import { endpoint, unvalidated } from '../kit/endpoint.js';
import type { Infrastructure, Premises } from '../kit/infrastructure.js';
import { pageResponseHeaders, sendPage } from '../kit/pages/send-page.js';
import { landingPage } from './landing/landing-page.js';
import { listEndpoints } from './landing/list-endpoints.js';

export const serviceIndex: Infrastructure = {
  name: 'index',
  title: 'Index',
  guide: 'getting-started',
  summary: 'This list.',
  front: { start: '/' },
  defaults: { caching: 'revalidate' },
  endpoints: (premises) => [readEndpoints(premises), readIndex(premises)],
};

/** The page requests them when the first area is opened: most visitors open few. */
function readEndpoints({ areas, catalogue }: Premises) {
  const endpoints = lazily(() =>
    contentOf(
      Buffer.from(JSON.stringify(listEndpoints(areas, catalogue.operations()))),
      'application/json; charset=utf-8',
    ),
  );
  return endpoint('GET', '/endpoints.json', {
    hide: true,
    handle: (request, reply) =>
      sendContent(request, reply.header('cache-control', 'no-cache'), endpoints()),
  });
}

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

function readIndex(premises: Premises) {
  const landing = landingPage(premises);
  return endpoint('GET', '/', {
    summary: 'List the areas, or open the front page in a browser',
    description:
      'Every area with its summary and the address to begin with. The whole of it is described by /openapi.json.',
    headers: unvalidated(ifNoneMatch),
    responses: {
      200: {
        description: 'The areas, or the page that shows them.',
        content: {
          'application/json': { schema: indexSchema },
          'text/html': { schema: Type.Unsafe({ type: 'string' }) },
        },
      },
      304: Type.Null({ description: 'The browser has the page already.' }),
    },
    responseHeaders: {
      200: { ...vary, ...optional(pageResponseHeaders[200]) },
      304: { ...vary, ...pageResponseHeaders[304] },
    },
    async handle(request, reply) {
      addVary(reply, 'Accept');
      if (prefersPage(request.headers.accept)) {
        return sendPage(request, reply, 'landing', await landing(request));
      }
      const { baseUrl } = request;
      return {
        name: 'Practice API',
        version: packageVersion,
        description: 'The service that people practise API clients and tests against.',
        areas: premises.areas.map(({ name, summary, front: { start, page } }) => ({
          name,
          summary,
          start: `${baseUrl}${start}`,
          ...(page && { page: baseUrl + page.path }),
        })),
      };
    },
  });
}
