/** Sends a page from any route: `return sendPage(request, reply, 'ide')`. */

import { Type } from 'typebox';
import { prefixOf } from '#http/address/sandbox-address.js';
import {
  type Content,
  contentOf,
  contentResponseHeaders,
  sendContent,
} from '#http/caching/content.js';
import type { Reply, Request } from '#http/exchange.js';
import { cacheControl, contentSecurityPolicy } from '#http/schemas/header-schemas.js';
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
 * Sends the page, or 304. Use it on routes for GET, to which the framework adds HEAD. Keeps the
 * Vary of the route. `rendered` replaces the built file. Throws an error with instructions if the
 * pages have not been built.
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
    .header('content-security-policy', pagePolicy(request, name))
    .header('referrer-policy', 'no-referrer');
  return sendContent(request, reply, content);
}

/** Returns the Content-Security-Policy of a page in the response to a request. */
export function pagePolicy(request: Request, name: PageName): string {
  // Callers on the network of the service see no path of BASE_URL.
  return policyOf(name, [prefixOf(request.raw), basePathOf(request)]);
}

function basePathOf(request: Request): string {
  try {
    return new URL(request.baseUrl).pathname.replace(/\/$/, '');
  } catch {
    // A trusted proxy sent malformed X-Forwarded headers, and this may be the page that says so.
    return '';
  }
}

/** Sends a page whose placeholders always get the same parts, which are rendered once. */
export async function sendFilledPage(
  request: Request,
  reply: Reply,
  name: PageName,
  render: () => Readonly<Record<string, string>>,
): Promise<Reply> {
  return sendPage(request, reply, name, await load(name, pathToRoot(request.url), render));
}

/** Read on first use, and cached for each depth of the page's paths. */
async function load(
  name: PageName,
  root: string,
  render: () => Readonly<Record<string, string>> = () => ({}),
): Promise<Content> {
  const key = `${root} ${name}`;
  const known = contents.get(key);
  if (known !== undefined) return known;
  const page = await fillShell(name, root, render());
  const content = contentOf(Buffer.from(page), 'text/html; charset=utf-8');
  contents.set(key, content);
  return content;
}

/** Reads the built shell of a page, and fills in its placeholders. */
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
 * Returns the relative path from a path to the root of the service. It is relative because a proxy
 * may add a prefix that the service does not know.
 */
export function pathToRoot(url: string): string {
  const [path = ''] = url.split('?', 1);
  const depth = path.split('/').length - 2;
  return depth > 0 ? '../'.repeat(depth) : './';
}

/**
 * Rewrites links of built pages, which are files in a folder of the root, so that `../` is the
 * root.
 */
export function linkToRoot(html: string, root: string): string {
  return html.replaceAll('="../', `="${root}`);
}
