/** The page of the server, for browsers. */

import type { Reply, Request } from '#http/exchange.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { sendFilledPage } from '#kit/pages/send-page.js';
import type { McpOffers } from '../model/parts.js';
import { renderMisbehaviours, renderOffer } from './offer.js';

/** Clients of the protocol list text/event-stream, and browsers do not. */
export function isForPage({ method, headers: { accept = '' } }: Request): boolean {
  const isReading = method === 'GET' || method === 'HEAD';
  return isReading && prefersPage(accept) && !accept.includes('text/event-stream');
}

/** `path` is the path of the server. */
export function sendMcpPage(
  request: Request,
  reply: Reply,
  path: string,
  offered: McpOffers,
): Promise<Reply> {
  return sendFilledPage(request, reply, 'mcp', () => ({
    '<!-- offer -->': renderOffer(path, offered).text,
    '<!-- misbehaviours -->': renderMisbehaviours().text,
  }));
}
