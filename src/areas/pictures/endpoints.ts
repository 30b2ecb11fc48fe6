/** Lists the images, with a gallery for browsers, and serves the images of each kind. */

import { Type } from 'typebox';
import { contentResponseHeaders, sendContent } from '#http/caching/content.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import {
  cacheControl,
  contentSecurityPolicy,
  ifNoneMatch,
  vary,
} from '#http/schemas/header-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { html } from '#kit/pages/html.js';
import { sendList } from '#kit/pages/list-page.js';
import type { PictureKind } from './picture-kinds.js';

/** More images of a kind would be repetitive. */
const maxShown = 36;

export const listPictures = (kinds: readonly PictureKind[]) =>
  endpoint('GET', '/images', {
    summary: 'List the images',
    description: 'Each kind with its ids; browsers get a gallery.',
    responses: {
      200: Type.Object({
        kinds: Type.Array(
          Type.Object({
            name: Type.String(),
            summary: Type.String(),
            url: Type.String({ description: '{id} is the id of a record.' }),
            ids: Type.Array(Type.Integer()),
          }),
        ),
      }),
    },
    responseHeaders: { 200: vary },
    examples: { 'The kinds': {} },
    handle(request, reply) {
      const listed = kinds.map(({ file, summary, pictures }) => ({
        name: collectionOf(file),
        summary,
        url: `${request.baseUrl}/images/${file.replace(':id', '{id}')}`,
        ids: [...pictures().keys()].map(Number),
      }));
      return sendList(request, reply, { kinds: listed }, (_listed, root) => ({
        title: 'Images',
        says: 'Each image is drawn from a record of the sample data, and always the same for the same record.',
        guide: 'pictures',
        section: 'pictures',
        // A photo and its thumbnail show the same image.
        parts: kinds
          .filter(({ file }) => file !== 'photos/:id.svg')
          .map((kind) => gallery(kind, root)),
      }));
    },
  });

const collectionOf = (file: string) => file.replace(/\/.*/, '');

function gallery({ file, pictures }: PictureKind, root: string) {
  const ids = [...pictures().keys()];
  return html`
      <h2>${collectionOf(file)} (${ids.length})</h2>
      <ul class="pictures">${ids.slice(0, maxShown).map((id) => {
        const path = file.replace(':id', id);
        return html`<li><a href="${root}images/${path}"><img src="${root}images/${path}" alt="" loading="lazy" width="136" height="144"><code>${path}</code></a></li>`;
      })}</ul>`;
}

const headers = {
  ...cacheControl,
  ...contentSecurityPolicy,
  'Cross-Origin-Resource-Policy': Type.Literal('cross-origin'),
};

export const getPicture = ({ file, noun, summary, pictures }: PictureKind) =>
  endpoint('GET', `/images/${file}`, {
    summary,
    description: 'An SVG that is always the same for the same record. It can be cached for a day.',
    params: { id: Type.String({ description: 'The id of the record.' }) },
    headers: ifNoneMatch,
    responses: {
      200: {
        description: 'The image.',
        content: { 'image/svg+xml': { schema: Type.String() } },
      },
      304: Type.Null({ description: 'The cached image is still valid.' }),
      404: errorSchema,
    },
    responseHeaders: {
      200: { ...contentResponseHeaders[200], ...headers },
      304: { ...contentResponseHeaders[304], ...headers },
    },
    examples: {
      'The first': { path: { id: 1 } },
      Compressed: { path: { id: 1 }, headers: { 'Accept-Encoding': 'gzip' }, isNoExample: true },
    },
    handle(request, reply) {
      const { id } = request.params;
      const picture = pictures().get(id);
      if (picture === undefined) {
        throw new HttpError(404, `There is no ${noun} ${id} in the sample data.`);
      }
      reply
        .header('cache-control', 'public, max-age=86400')
        // Opened by itself, an image is a document; it may load and run nothing.
        .header('content-security-policy', "default-src 'none'")
        // Pages that are isolated from other origins show only images with this header.
        .header('cross-origin-resource-policy', 'cross-origin');
      return sendContent(request, reply, picture());
    },
  });
