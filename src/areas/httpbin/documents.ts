/** The small documents of fixed text, and pages of links. */

import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { lazily } from '../../base/lazily.js';
import { packageFolder } from '../../base/package-folder.js';
import { contentOf, sendContent } from '../../http/caching/content.js';
import { cacheControl, noSniff, vary } from '../../kit/describe/header-schemas.js';
import { optionalText, text } from '../../kit/describe/value-schemas.js';
import { count, document, html, notModified, ownPath, spec } from './spec.js';
import { sendJson } from './write-json.js';

/** Files change with versions of this service only. */
const caching = 'public, max-age=3600';

const fileHeaders = {
  ...cacheControl,
  ETag: text('The entity tag.'),
  ...noSniff,
  Vary: Type.Optional(vary.Vary),
  'Content-Encoding': Type.Optional(Type.String()),
};

/** A file of `data/httpbin/`. */
export function file(summary: string, contentType: string, name: string) {
  const content = lazily(() =>
    contentOf(readFileSync(new URL(`data/httpbin/${name}`, packageFolder)), contentType),
  );
  return spec({
    summary,
    headers: { 'If-None-Match': optionalText('An entity tag that the caller has.') },
    responses: { ...document(contentType.replace(/;.*/, '')), ...notModified },
    responseHeaders: { 200: fileHeaders, 304: fileHeaders },
    handle: (request, reply) =>
      sendContent(request, reply.header('cache-control', caching), content()),
  });
}

/** Client suites compare these values: they are part of the interface of httpbin. */
const slideshow = {
  author: 'Yours Truly',
  date: 'date of publication',
  slides: [
    { title: 'Wake up to WonderWidgets!', type: 'all' },
    {
      items: ['Why <em>WonderWidgets</em> are great', 'Who <em>buys</em> WonderWidgets'],
      title: 'Overview',
      type: 'all',
    },
  ],
  title: 'Sample Slide Show',
};

export const jsonDocument = spec({
  summary: 'Get a small JSON document',
  responses: { 200: Type.Object({ slideshow: Type.Unknown() }) },
  handle: (_request, reply) => sendJson(reply.header('cache-control', caching), { slideshow }),
});

const maxLinks = 200;

/** Links to the pages beside it; its own number is no link. */
export const links = spec({
  summary: 'Get a page of links',
  params: { n: count('How many, 1 to 200.'), offset: count('The number of this page.') },
  responses: document('text/html'),
  handle(request, reply) {
    const { n, offset } = request.params;
    const length = Math.min(Math.max(n, 1), maxLinks);
    const all = Array.from({ length }, (_, place) =>
      place === offset
        ? String(place)
        : `<a href="${ownPath(request, `/links/${length}/${place}`)}">${place}</a>`,
    );
    const body = `<!doctype html>\n<html lang="en"><head><title>Links</title></head><body>${all.join(' ')}</body></html>\n`;
    return reply.type(html).send(body);
  },
});
