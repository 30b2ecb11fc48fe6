/** The page of the lab, for browsers. */

import { type Content, contentOf } from '../../../http/caching/content.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { fillShell, pathToRoot, sendPage } from '../../../kit/pages/send-page.js';
import { renderCases, renderModels, renderOffer } from './offer.js';

/** By the relative path to the root. */
const contents = new Map<string, Content>();

export async function sendLlmPage(request: Request, reply: Reply): Promise<Reply> {
  const root = pathToRoot(request.url);
  const content = contents.get(root) ?? (await render(root));
  contents.set(root, content);
  return sendPage(request, reply, 'llm', content);
}

async function render(root: string): Promise<Content> {
  const page = await fillShell('llm', root, {
    '<!-- offer -->': renderOffer().text,
    '<!-- cases -->': renderCases().text,
    '<!-- models -->': renderModels().text,
  });
  return contentOf(Buffer.from(page), 'text/html; charset=utf-8');
}
