/**
 * The description of the service as OpenAPI 3.1, at /openapi.json and /openapi.yaml. The build writes it for usual
 * settings; for others it is made at the first request.
 */

import { Type } from 'typebox';
import { runInTurns } from '../../base/run-steps.js';
import { addressedContent } from '../../http/caching/addressed-content.js';
import { contentResponseHeaders, sendContent } from '../../http/caching/content.js';
import type { Reply, Request } from '../../http/exchange.js';
import { cacheControl, ifNoneMatch } from '../../http/schemas/header-schemas.js';
import { requireRoom } from '../../http/sending/require-room.js';
import { builtText } from '../../kit/built-text.js';
import type { Infrastructure } from '../../kit/infrastructure.js';

const formats = {
  json: { contentType: 'application/json', title: 'JSON' },
  yaml: { contentType: 'application/yaml', title: 'YAML' },
} as const;

export const openapiRoutes: Infrastructure = {
  name: 'openapi',
  title: 'OpenAPI',
  guide: 'openapi',
  front: {
    start: '/openapi.json',
  },
  summary: 'The description of this service for programs: /openapi.json and /openapi.yaml.',
  addRoutes(app, { baseUrlOf, catalogue, config, variant }) {
    for (const format of ['json', 'yaml'] as const) {
      const { contentType, title } = formats[format];
      const make = async () => {
        const { writeDescription } = await import('./write-description.js');
        const isAccountRequired = config.accounts === 'required';
        return runInTurns(writeDescription(format, catalogue.routes, isAccountRequired));
      };
      const contentAt = addressedContent(`${contentType}; charset=utf-8`, () =>
        builtText(variant, `openapi.${format}`, make),
      );
      app.get(
        `/openapi.${format}`,
        {
          schema: {
            summary: `Get this description as ${title}`,
            description:
              'Made from the schemas of the routes. Its server is the address that the request came to.',
            described: { headers: ifNoneMatch },
            response: {
              200: {
                description: 'An OpenAPI 3.1 document.',
                content: {
                  [contentType]: { schema: Type.Unsafe<Reply>({ type: 'object' }) },
                },
              },
              304: Type.Null({ description: 'The caller has it already.' }),
            },
            responseHeaders: {
              200: { ...contentResponseHeaders[200], ...cacheControl },
              304: { ...contentResponseHeaders[304], ...cacheControl },
            },
          },
        },
        async (request: Request, reply: Reply) => {
          reply.header('cache-control', 'no-cache');
          const content = await contentAt(baseUrlOf(request), (bytes) =>
            requireRoom(request, bytes),
          );
          return sendContent(request, reply, content);
        },
      );
    }
  },
};
