/** The page of the server, for browsers. */

import { type Content, contentOf } from '../../../http/caching/content.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { prefersPage } from '../../../http/negotiation/read-preferences.js';
import { fillShell, pathToRoot, sendPage } from '../../../kit/pages/send-page.js';
import { renderMisbehaviours, renderOffer } from './offer.js';

/** By the relative path to the root. */
const contents = new Map<string, Content>();

/** Clients of the protocol list text/event-stream, and browsers do not. */
export function isForPage({ method, headers: { accept = '' } }: Request): boolean {
  const isReading = method === 'GET' || method === 'HEAD';
  return isReading && prefersPage(accept) && !accept.includes('text/event-stream');
}

/** `path` is the path of the server. */
export async function sendMcpPage(request: Request, reply: Reply, path: string): Promise<Reply> {
  const root = pathToRoot(request.url);
  const content = contents.get(root) ?? (await render(root, path));
  contents.set(root, content);
  return sendPage(request, reply, 'mcp', content);
}

async function render(root: string, path: string): Promise<Content> {
  const page = await fillShell('mcp', root, {
    '<!-- offer -->': renderOffer(path).text,
    '<!-- misbehaviours -->': renderMisbehaviours().text,
  });
  return contentOf(Buffer.from(page), 'text/html; charset=utf-8');
}
