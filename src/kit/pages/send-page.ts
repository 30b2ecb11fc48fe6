/** Responds with a page, from any route: `return sendPage(request, reply, 'ide')`. */

import { Type } from 'typebox';
import {
  type Content,
  contentOf,
  contentResponseHeaders,
  sendContent,
} from '../../http/caching/content.js';
import type { Reply, Request } from '../../http/exchange.js';
import { cacheControl, contentSecurityPolicy } from '../../http/schemas/header-schemas.js';
import { readBuiltFile } from './page-files.js';
import { type PageName, policyOf } from './pages.js';

const pageHeaders = {
  ...cacheControl,
  ...contentSecurityPolicy,
  'Referrer-Policy': Type.Literal('no-referrer'),
};
/** The headers of its responses, by status. */
export const pageResponseHeaders = {
  200: { ...contentResponseHeaders[200], ...pageHeaders },
  304: { ...contentResponseHeaders[304], ...pageHeaders },
};

const contents = new Map<string, Content>();

/**
 * Responds with the page, or with 304. Use it on routes for GET; the framework makes HEAD of those.
 * A Vary that the route has set is kept. `rendered` is the page where it is not the built file as it
 * stands. Throws an error that says what to do when the pages have not been built.
 */
export async function sendPage(
  request: Request,
  reply: Reply,
  name: PageName,
  rendered?: Content,
  caching = 'no-cache',
): Promise<Reply> {
  const content = rendered ?? (await load(name, pathToRoot(request.url)));
  reply
    .header('cache-control', caching)
    .header('content-security-policy', policyOf(name))
    .header('referrer-policy', 'no-referrer');
  return sendContent(request, reply, content);
}

/** Read when first requested, and kept once for each depth at which routes serve the page. */
async function load(name: PageName, root: string): Promise<Content> {
  const key = `${root} ${name}`;
  const known = contents.get(key);
  if (known !== undefined) return known;
  const page = await fillShell(name, root, {});
  const content = contentOf(Buffer.from(page), 'text/html; charset=utf-8');
  contents.set(key, content);
  return content;
}

/** Reads the shell of a page that the build made, and puts parts in place of what stands for them. */
export async function fillShell(
  name: PageName,
  root: string,
  parts: Readonly<Record<string, string>>,
): Promise<string> {
  const shell = linkToRoot((await readBuiltFile(`${name}/index.html`)).toString('utf8'), root);
  return Object.entries(parts).reduce(
    (page, [place, part]) => page.replace(place, () => part),
    shell,
  );
}

/**
 * The relative address of the service's root as seen from a path of it. Relative, because the
 * service may stand below a path that only a proxy knows.
 */
export function pathToRoot(url: string): string {
  const [path = ''] = url.split('?', 1);
  const depth = path.split('/').length - 2;
  return depth > 0 ? '../'.repeat(depth) : './';
}

/** Pages are written, and bundled, as files in a folder of the root, so `../` is the root to them. */
export function linkToRoot(html: string, root: string): string {
  return html.replaceAll('="../', `="${root}`);
}
