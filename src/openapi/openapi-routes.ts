/**
 * The description of the service as OpenAPI 3.1, at /openapi.json and /openapi.yaml. It is made when
 * first asked for: whoever does not ask pays nothing.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createBoundedCache } from '../bounded-cache.js';
import { lazily } from '../lazily.js';
import { type Content, contentAnswerHeaders, contentOf, sendContent } from '../server/content.js';
import { cacheControl, ifNoneMatch } from '../server/header-schemas.js';
import type { Infrastructure } from '../server/infrastructure.js';

const formats = {
  json: { contentType: 'application/json', charset: '; charset=utf-8', title: 'JSON' },
  yaml: { contentType: 'application/yaml', charset: '; charset=utf-8', title: 'YAML' },
} as const;

type Format = keyof typeof formats;

/** Callers can make up hosts, so only the descriptions for the latest are kept. */
const maxKept = 10;

export const openapiRoutes: Infrastructure = {
  name: 'openapi',
  title: 'OpenAPI',
  start: '/openapi.json',
  summary: 'The description of this service for programs: /openapi.json and /openapi.yaml.',

  addRoutes(app, { baseUrlOf, catalogue, config }) {
    const options = { isAccountRequired: config.accounts === 'required' };
    const writer = lazily(async () => {
      const { DescriptionWriter } = await import('./description-writer.js');
      return new DescriptionWriter(catalogue.routes, options);
    });
    const kept = createBoundedCache<Content>({ maxEntries: maxKept });

    async function contentFor(format: Format, baseUrl: string): Promise<Content> {
      const key = `${format} ${baseUrl}`;
      const known = kept.find(key);
      if (known !== undefined) return known;
      const text = (await writer()).write(format, baseUrl);
      const { contentType, charset } = formats[format];
      const content = contentOf(Buffer.from(text), contentType + charset);
      kept.keep(key, content);
      return content;
    }

    for (const format of ['json', 'yaml'] as const) {
      const { contentType, title } = formats[format];
      app.get(
        `/openapi.${format}`,
        {
          schema: {
            summary: `This description, as ${title}`,
            description:
              'Made from the schemas of the routes. Its server is the address that the request came to.',
            described: { headers: ifNoneMatch },
            response: {
              200: {
                description: 'An OpenAPI 3.1 document.',
                content: {
                  [contentType]: { schema: Type.Unsafe<FastifyReply>({ type: 'object' }) },
                },
              },
              304: Type.Null({ description: 'The caller has it already.' }),
            },
            responseHeaders: {
              200: { ...contentAnswerHeaders[200], ...cacheControl },
              304: { ...contentAnswerHeaders[304], ...cacheControl },
            },
          },
        },
        async (request: FastifyRequest, reply: FastifyReply) => {
          reply.header('cache-control', 'no-cache');
          return sendContent(request, reply, await contentFor(format, baseUrlOf(request)));
        },
      );
    }
  },
};
