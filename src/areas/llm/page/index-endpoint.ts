/** The contents of the lab: base URLs, models, keys, pinned versions and the test plan. */

import { type TSchema, Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { pageResponseHeaders, sendFilledPage } from '#kit/pages/send-page.js';
import { plan } from '../control/plan-endpoints.js';
import { keys } from '../exchange/keys.js';
import { embeddingModel, modelNames, models } from '../messages/models.js';
import { basePaths, planPath, root } from '../messages/mount.js';
import { renderCases, renderModels, renderOffer } from './offer.js';
import { pinned } from './pinned.js';

const listed = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

const describe = (baseUrl: string) => ({
  baseUrls: {
    openai: `${baseUrl}${basePaths.openai}`,
    // The SDK adds the version.
    anthropic: `${baseUrl}${root}/anthropic`,
  },
  models: [
    ...modelNames.map((id) => ({ id, ...models[id] })),
    { id: embeddingModel, canThink: false },
  ],
  keys,
  pinned,
  testPlan: { url: baseUrl + planPath, cases: plan },
});

export const describeLab = endpoint('GET', root, {
  summary: 'Describe the lab for language models, or get the page',
  headers: unvalidated(ifNoneMatch),
  responses: {
    200: {
      description: 'The list, or the page for browsers.',
      content: {
        'application/json': { schema: listed as TSchema },
        'text/html': { schema: Type.String() },
      },
    },
    304: Type.Null({ description: "The browser's copy of the page is current." }),
  },
  responseHeaders: {
    200: { ...vary, ...optional(pageResponseHeaders[200]) },
    304: { ...vary, ...pageResponseHeaders[304] },
  },
  // Browsers cannot send a service key when they open a page.
  isOpen: ({ headers }) => prefersPage(headers.accept),
  handle(request, reply) {
    addVary(reply, 'Accept');
    if (prefersPage(request.headers.accept)) return sendLlmPage(request, reply);
    return describe(request.baseUrl);
  },
});

function sendLlmPage(request: Request, reply: Reply): Promise<Reply> {
  return sendFilledPage(request, reply, 'llm', () => ({
    '<!-- offer -->': renderOffer().text,
    '<!-- cases -->': renderCases().text,
    '<!-- models -->': renderModels().text,
  }));
}
