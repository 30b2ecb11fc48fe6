/** Responds to `GET /`: a page for browsers, and JSON for all others. */

import { Type } from 'typebox';
import { lazily } from '#base/lazily.js';
import { packageVersion } from '#base/package/package-files.js';
import { addVary } from '#http/caching/caching.js';
import { contentOf, sendContent } from '#http/caching/content.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { groupAreas } from '#kit/front/area-groups.js';
import type { AppContext, Infrastructure } from '#kit/infrastructure.js';
import { pageResponseHeaders, sendPage } from '#kit/pages/send-page.js';
import { landingPage } from './landing/landing-page.js';
import { listEndpoints } from './landing/list-endpoints.js';

export const serviceIndex: Infrastructure = {
  name: 'index',
  title: 'List of areas',
  guide: 'getting-started',
  summary: 'The areas of this service, as JSON or as the front page.',
  front: { start: '/' },
  defaults: { caching: 'revalidate' },
  endpoints: (context) => [readEndpoints(context), readIndex(context)],
};

/** The page requests them when the first area is opened, because most visitors open few. */
function readEndpoints({ areas, catalogue }: AppContext) {
  const endpoints = lazily(async () => {
    await catalogue.complete();
    const text = JSON.stringify(listEndpoints(areas, catalogue.operations()));
    return contentOf(Buffer.from(text), 'application/json; charset=utf-8');
  });
  return endpoint('GET', '/endpoints.json', {
    hide: true,
    async handle(request, reply) {
      reply.header('cache-control', 'no-cache');
      return sendContent(request, reply, await endpoints());
    },
  });
}

const indexSchema = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  areas: Type.Array(
    Type.Object({
      name: Type.String(),
      group: Type.String({ description: 'What people come for, such as Learn HTTP.' }),
      summary: Type.String(),
      start: Type.String({ description: 'First path to try.' }),
      page: Type.Optional(Type.String({ description: 'A page for browsers.' })),
    }),
  ),
});

function readIndex(context: AppContext) {
  const landing = landingPage(context);
  return endpoint('GET', '/', {
    summary: 'List the areas, or open the front page in a browser',
    description:
      'Every area with its summary and its first path. /openapi.json describes all endpoints.',
    headers: unvalidated(ifNoneMatch),
    responses: {
      200: {
        description: 'The areas, or the front page.',
        content: {
          'application/json': { schema: indexSchema },
          'text/html': { schema: Type.Unsafe({ type: 'string' }) },
        },
      },
      304: Type.Null({ description: 'The cached page is still valid.' }),
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
        description: 'A service to practise and test API clients against.',
        areas: groupAreas(context.areas).flatMap(({ title: group, members }) =>
          members.map(({ name, summary, front: { start, page } }) => ({
            ...{ name, group, summary },
            start: `${baseUrl}${start}`,
            ...(page && { page: baseUrl + page.path }),
          })),
        ),
      };
    },
  });
}
