/** The small documents of fixed text, and pages of links. */

import { readFileSync } from 'node:fs';
import { lazily } from '../../base/lazily.js';
import { packageFolder } from '../../base/package-folder.js';
import { type Content, contentOf, sendContent } from '../../http/caching/content.js';
import type { Reply } from '../../http/exchange.js';
import type { Handler } from './lab.js';
import { redirect } from './redirects.js';
import { sendJson } from './send-json.js';

/** They change with versions of this service only. */
function mayKeep(reply: Reply): Reply {
  return reply.header('cache-control', 'public, max-age=3600');
}

/** A file of `data/httpbin/`, the same for everybody. */
export function giveFile(name: string, contentType: string): Handler {
  const content = lazily(() => readFile(name, contentType));
  return (request, reply) => sendContent(request, mayKeep(reply), content());
}

export function readFile(name: string, contentType: string): Content {
  return contentOf(readFileSync(new URL(`data/httpbin/${name}`, packageFolder)), contentType);
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

export const giveSlideshow: Handler = (_request, reply) => sendJson(mayKeep(reply), { slideshow });

const maxLinks = 200;

/** A page with links to the pages beside it; its own number is no link. */
export const giveLinks: Handler = (request, reply, { paths }) => {
  const { n, offset } = request.params as { readonly n: number; readonly offset: number };
  const count = Math.min(Math.max(n, 1), maxLinks);
  const links = Array.from({ length: count }, (_, place) => {
    if (place === offset) return String(place);
    return `<a href="${paths.path(request, `/links/${count}/${place}`)}">${place}</a>`;
  });
  const body = `<!doctype html>\n<html lang="en"><head><title>Links</title></head><body>${links.join(' ')}</body></html>\n`;
  return reply.header('content-type', 'text/html; charset=utf-8').send(body);
};

export const giveFirstLinks: Handler = (request, reply, { paths }) => {
  const { n } = request.params as { readonly n: number };
  return redirect(reply, paths.path(request, `/links/${n}/0`));
};
