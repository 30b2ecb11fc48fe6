/**
 * The files that tools import, at /downloads: a Postman collection, a file of requests, and links to the descriptions.
 * The build writes the files for usual settings; for others they are made at the first request.
 */

import { type Static, Type } from 'typebox';
import { runInTurns } from '../../base/run-steps.js';
import { prefixOf } from '../../http/address/sandbox-address.js';
import { addressedContent } from '../../http/caching/addressed-content.js';
import { contentResponseHeaders, sendContent } from '../../http/caching/content.js';
import type { Reply, Request } from '../../http/exchange.js';
import { cacheControl, ifNoneMatch, vary } from '../../http/schemas/header-schemas.js';
import { requireRoom } from '../../http/sending/require-room.js';
import { builtText } from '../../kit/built-text.js';
import type { Infrastructure } from '../../kit/infrastructure.js';
import { html } from '../../site/html.js';
import { sendList } from '../../site/list-page.js';

const folder = '/downloads';

/** The files that are made here. */
const files = {
  postman: {
    path: `${folder}/practice-api.postman_collection.json`,
    name: 'Postman collection',
    summary: 'Get the service as a Postman collection',
    format: 'Postman collection 2.1',
    for: 'Postman and Newman: every operation and the flows that need an order, all with tests. Other tools import it as well, such as Bruno and Insomnia.',
    contentType: 'application/json',
    schema: Type.Unsafe<Reply>({ type: 'object' }),
  },
  http: {
    path: `${folder}/practice-api.http`,
    name: 'File of requests',
    summary: 'Get the service as a file of requests',
    format: '.http',
    for: 'The HTTP clients of editors: VS Code, Visual Studio, JetBrains.',
    contentType: 'text/plain',
    schema: Type.Unsafe<Reply>({ type: 'string' }),
  },
} as const;

/** What stands elsewhere, beside what the areas have. */
const others = [
  {
    path: '/openapi.json',
    name: 'OpenAPI description',
    format: 'OpenAPI 3.1, JSON',
    for: 'Generators of clients, documentation and tests.',
  },
  {
    path: '/openapi.yaml',
    name: 'OpenAPI description',
    format: 'OpenAPI 3.1, YAML',
    for: 'The same, to read.',
  },
] as const;

const listSchema = Type.Array(
  Type.Object({
    name: Type.String(),
    format: Type.String(),
    url: Type.String(),
    for: Type.String({ description: 'What it is good for.' }),
  }),
);

export const downloadRoutes: Infrastructure = {
  name: 'downloads',
  title: 'Downloads',
  guide: 'testing/postman',
  front: {
    start: folder,
  },
  summary: 'What tools import: a Postman collection, a file of requests, and the descriptions.',
  addRoutes(app, premises) {
    const { areas, baseUrlOf } = premises;
    const imports = areas.flatMap(({ front }) => front.imports ?? []);
    const listing = {
      summary: 'List what tools can import',
      description:
        'Whatever names an address in it names the one that the request came to; browsers get a page.',
      response: { 200: Type.Unsafe<Static<typeof listSchema> | Reply>(listSchema) },
      responseHeaders: { 200: vary },
    };
    app.get(folder, { schema: listing }, async (request: Request, reply: Reply) => {
      const baseUrl = baseUrlOf(request);
      const listed = [...Object.values(files), ...others, ...imports].map(
        ({ path, name, format, ...rest }) => {
          return { name, format, url: baseUrl + path, for: rest.for };
        },
      );
      return sendList(request, reply, listed, (all) => ({
        title: 'Downloads',
        says: 'What tools import. The addresses in each file are those of this service.',
        guide: 'testing/postman',
        section: 'downloads',
        parts: [
          html`<ul class="rows plain">${all.map(
            ({ name, format, url, for: purpose }) =>
              html`<li><a href="${url}">${name}<br><small>${format}</small></a><span class="says">${purpose}</span></li>`,
          )}</ul>`,
        ],
      }));
    });

    for (const format of ['postman', 'http'] as const) {
      const { path, summary, contentType, schema, for: purpose } = files[format];
      const fileName = path.slice(folder.length + 1);
      const contentAt = (isInside: boolean) =>
        addressedContent(`${contentType}; charset=utf-8`, async () => {
          const name = `${isInside ? 'sandbox/' : ''}${fileName}`;
          const written = await builtText(premises.variant, name, async () => {
            const { writeDownload } = await import('./write-download.js');
            return runInTurns(writeDownload(format, premises, isInside));
          });
          const { putCredentials } = await import('./put-credentials.js');
          return putCredentials(format, written, premises);
        });
      const [outside, inside] = [contentAt(false), contentAt(true)];
      const disposition = {
        'Content-Disposition': Type.Literal(`attachment; filename="${fileName}"`),
      };
      app.get(
        path,
        {
          schema: {
            summary,
            description: `${purpose} Its base URL is the address that the request came to.`,
            described: { headers: ifNoneMatch },
            response: {
              200: {
                description: `The file ${fileName}.`,
                content: { [contentType]: { schema } },
              },
              304: Type.Null({ description: 'The caller has it already.' }),
            },
            responseHeaders: {
              200: { ...contentResponseHeaders[200], ...cacheControl, ...disposition },
              304: { ...contentResponseHeaders[304], ...cacheControl, ...disposition },
            },
          },
        },
        async (request: Request, reply: Reply) => {
          reply
            .header('cache-control', 'no-cache')
            .header('content-disposition', `attachment; filename="${fileName}"`);
          const file = prefixOf(request.raw) === '' ? outside : inside;
          const content = await file(baseUrlOf(request), (bytes) => requireRoom(request, bytes));
          return sendContent(request, reply, content);
        },
      );
    }
  },
};
