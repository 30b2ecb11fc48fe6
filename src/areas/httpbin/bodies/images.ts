/**
 * Files of `data/httpbin/`: documents, and one image in four formats, selected by `Accept` (RFC 9110 section 12.5.1).
 */

import { Type } from 'typebox';
import { lazily } from '#base/lazily.js';
import { readPackageFile } from '#base/package/package-files.js';
import { addVary } from '#http/caching/caching.js';
import { contentOf, sendContent } from '#http/caching/content.js';
import { HttpError } from '#http/http-error.js';
import { readPreferences, weightOf } from '#http/negotiation/read-preferences.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { cacheControl, ifNoneMatch, noSniff, vary } from '#http/schemas/header-schemas.js';
import { anyContent } from '#kit/describe/any-body.js';
import { optionalText, text } from '#kit/describe/value-schemas.js';
import { cachedForAnHour, document, notModified, optionalTag, spec } from '../spec.js';

const fileHeaders = {
  ...cacheControl,
  ETag: text('The entity tag.'),
  ...noSniff,
  Vary: Type.Optional(vary.Vary),
  'Content-Encoding': Type.Optional(Type.String()),
};

export function file(summary: string, contentType: string, name: string) {
  const content = lazily(() => contentOf(readPackageFile(`data/httpbin/${name}`), contentType));
  return spec({
    summary,
    headers: { 'If-None-Match': optionalText('An entity tag that the caller has.') },
    responses: { ...document(contentType.replace(/;.*/, '')), ...notModified },
    responseHeaders: { 200: fileHeaders, 304: fileHeaders },
    handle: (request, reply) => sendContent(request, reply.headers(cachedForAnHour), content()),
  });
}

/** In order of preference, for clients that accept several formats equally. */
export const images = {
  webp: file('Get a WebP', 'image/webp', 'picture.webp'),
  svg: file('Get an SVG', 'image/svg+xml', 'picture.svg'),
  jpeg: file('Get a JPEG', 'image/jpeg', 'picture.jpeg'),
  png: file('Get a PNG', 'image/png', 'picture.png'),
};
type ImageFormat = keyof typeof images;

const named = Object.keys(images) as ImageFormat[];
const mediaType = (format: ImageFormat) => `image/${format === 'svg' ? 'svg+xml' : format}`;

/** Returns `undefined` if no format is acceptable, and PNG if all are. */
export function chooseFormat(accept: string | undefined): ImageFormat | undefined {
  if (accept === undefined) return 'png';
  const preferences = readPreferences(accept);
  const weight = (format: ImageFormat) => weightOf(preferences, mediaType(format));
  // A type that the client names beats a type that a wildcard allows, as with weights.
  const isNamed = (format: ImageFormat) => preferences.has(mediaType(format));
  const order: ImageFormat[] = [...named.filter(isNamed), 'png', ...named];
  const best = Math.max(...order.map(weight));
  return best > 0 ? order.find((format) => weight(format) === best) : undefined;
}

const imageHeaders = {
  'Cache-Control': text('An hour.'),
  Vary: text('Accept'),
  ...noSniff,
  'Content-Encoding': Type.Optional(Type.String()),
  ...optionalTag,
};

export const negotiatedImage = spec({
  summary: 'Get an image in the format that Accept prefers',
  headers: { Accept: Type.Optional(Type.String()), ...ifNoneMatch },
  responses: {
    200: anyContent('The image.'),
    ...notModified,
    406: Type.Object({
      ...errorSchema.properties,
      accept: Type.Optional(
        Type.Array(Type.String(), { description: 'The supported media types.' }),
      ),
    }),
  },
  responseHeaders: { 200: imageHeaders, 304: imageHeaders, 406: { Vary: text('Accept') } },
  handle(request, reply) {
    addVary(reply, 'Accept');
    const format = chooseFormat(request.headers.accept);
    if (format !== undefined) return images[format].handle(request, reply);
    const accept = [...named.map(mediaType), 'image/*'];
    const message = 'Client did not request a supported media type.';
    throw new HttpError(406, message, { body: { accept } });
  },
});
