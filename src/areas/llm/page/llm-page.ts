/** The page of the lab, for browsers. */

import type { Reply, Request } from '../../../http/exchange.js';
import { sendFilledPage } from '../../../kit/pages/send-page.js';
import { renderCases, renderModels, renderOffer } from './offer.js';

export function sendLlmPage(request: Request, reply: Reply): Promise<Reply> {
  return sendFilledPage(request, reply, 'llm', () => ({
    '<!-- offer -->': renderOffer().text,
    '<!-- cases -->': renderCases().text,
    '<!-- models -->': renderModels().text,
  }));
}
