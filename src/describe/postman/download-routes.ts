/** Files for import into tools, written for the first request. */

import { Type } from 'typebox';
import { runInTurns } from '#base/run-steps.js';
import { prefixOf } from '#http/address/sandbox-address.js';
import { addressedContent } from '#http/caching/addressed-content.js';
import { vary } from '#http/schemas/header-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { AppContext, Infrastructure } from '#kit/infrastructure.js';
import { type ImportedFile, importedFileToken } from '#kit/offers/front-page.js';
import { html } from '#kit/pages/html.js';
import { sendList } from '#kit/pages/list-page.js';
import { addressedFile } from '../addressed-file.js';

const folder = '/downloads';

const postmanFile = {
  path: `${folder}/practice-api.postman_collection.json`,
  name: 'Postman collection',
  format: 'Postman collection 2.1',
  for: 'Postman and Newman: every operation and multi-step flows, all with tests. Bruno, Insomnia and other tools import it too.',
};

const httpFile = {
  path: `${folder}/practice-api.http`,
  name: 'HTTP request file',
  format: '.http',
  for: 'The HTTP clients of editors: VS Code, Visual Studio, JetBrains.',
};

const descriptions = [
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
    for: 'The same as YAML.',
  },
];

export const downloadRoutes: Infrastructure = {
  name: 'downloads',
  title: 'Downloads',
  guide: 'testing/postman',
  summary:
    'Downloads for tools: a Postman collection, an HTTP request file, and OpenAPI descriptions.',
  front: { start: folder },
  endpoints: (context) => [
    listDownloads(context),
    download(context, 'postman', {
      ...postmanFile,
      summary: 'Get the service as a Postman collection',
      contentType: 'application/json',
      type: 'object',
    }),
    download(context, 'http', {
      ...httpFile,
      summary: 'Get the service as an HTTP request file',
      contentType: 'text/plain',
      type: 'string',
    }),
  ],
};

function listDownloads({ offers }: AppContext) {
  const imports = offers.all(importedFileToken);
  return endpoint('GET', folder, {
    summary: 'List files to import into tools',
    description: 'URLs in the files have the base URL of this request. Browsers get a page.',
    responses: {
      200: Type.Array(
        Type.Object({
          name: Type.String(),
          format: Type.String(),
          url: Type.String(),
          for: Type.String({ description: 'Purpose of the file.' }),
        }),
      ),
    },
    responseHeaders: { 200: vary },
    handle(request, reply) {
      const listed = [postmanFile, httpFile, ...descriptions, ...imports].map(
        ({ path, name, format, for: purpose }) => {
          return { name, format, url: request.baseUrl + path, for: purpose };
        },
      );
      return sendList(request, reply, listed, (all) => ({
        title: 'Downloads',
        says: 'Files to import into tools. URLs in each file have the base URL of this service.',
        guide: 'testing/postman',
        section: 'downloads',
        parts: [
          html`<ul class="rows plain">${all.map(
            ({ name, format, url, for: purpose }) =>
              html`<li><a href="${url}">${name}<br><small>${format}</small></a><span class="says">${purpose}</span></li>`,
          )}</ul>`,
        ],
      }));
    },
  });
}

interface Download extends ImportedFile {
  readonly summary: string;
  readonly contentType: string;
  /** JSON type of its body in the description. */
  readonly type: 'object' | 'string';
}

function download(context: AppContext, format: 'postman' | 'http', file: Download) {
  const { path, summary, contentType, type } = file;
  const fileName = path.slice(folder.length + 1);
  const contentAt = (isInside: boolean) =>
    addressedContent(`${contentType}; charset=utf-8`, async () => {
      const { putCredentials, writeDownload } = await import('./write-download.js');
      await context.catalogue.complete();
      const written = Buffer.from(await runInTurns(writeDownload(format, context, isInside)));
      return putCredentials(format, written, context);
    });
  const [outside, inside] = [contentAt(false), contentAt(true)];
  return addressedFile({
    path,
    summary,
    description: `${file.for} Its base URL is the base URL of this request.`,
    content: `The file ${fileName}.`,
    contentType,
    schema: Type.Unsafe({ type }),
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
    contentFor: ({ raw }) => (prefixOf(raw) === '' ? outside : inside),
  });
}
