/**
 * Lists the paths below a path: JSON for programs, and for browsers a page with links to guide and
 * reference.
 */

import { addVary } from '#http/caching/caching.js';
import { passingContent } from '#http/caching/content.js';
import type { Reply, Request } from '#http/exchange.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { type Html, html } from './html.js';
import { fillShell, pathToRoot, sendPage } from './send-page.js';

export interface ListPage {
  readonly title: string;
  readonly says: string;
  /** A page of the guides, such as `auth`. */
  readonly guide?: string | undefined;
  /** A section of the reference, such as `auth`. */
  readonly section?: string | undefined;
  /** Cache-Control of the list. Default: revalidate each time. */
  readonly caching?: string;
  readonly parts: readonly Html[];
}

/**
 * Sends a program the list, and a browser its page; `root` is the relative path to the root of the
 * service.
 */
export async function sendList<Listed>(
  request: Request,
  reply: Reply,
  listed: Listed,
  pageOf: (listed: Listed, root: string) => ListPage,
): Promise<Listed | Reply> {
  addVary(reply, 'Accept');
  if (!prefersPage(request.headers.accept)) return listed;
  const root = pathToRoot(request.url);
  const page = pageOf(listed, root);
  const body = html`<h1>${page.title}</h1>
      <p>${page.says}</p>
      <p class="links">
        ${page.guide && html`<a href="${root}guides/${page.guide}">The guide</a>`}
        <a href="${root}docs${page.section && html`#/${page.section}`}">The reference</a>
        <a href="${root}">All areas</a>
      </p>
      ${page.parts}`;
  const text = await fillShell('list', root, {
    '<title>List': html`<title>${page.title}`.text,
    '<!-- body -->': body.text,
  });
  const content = passingContent(Buffer.from(text), 'text/html; charset=utf-8');
  return sendPage(request, reply, 'list', content, page.caching);
}

interface ListedEndpoint {
  readonly method: string;
  readonly path: string;
  readonly summary?: string | undefined;
  /** Link target, relative to the page. */
  readonly href?: string | undefined;
}

export function renderEndpoints(endpoints: readonly ListedEndpoint[]): Html {
  return html`<ul class="rows">${endpoints.map(
    ({ method, path, summary, href }) =>
      html`<li><span class="method">${method}</span>${
        href === undefined
          ? html`<code>${path}</code>`
          : html`<a href="${href}"><code>${path}</code></a>`
      }<span class="says">${summary}</span></li>`,
  )}</ul>`;
}
