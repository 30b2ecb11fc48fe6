/** The contents of the lab: base URLs, models, keys, pinned versions and the test plan. */

import { Type } from 'typebox';
import { listOrPage } from '#kit/pages/list-or-page.js';
import { sendFilledPage } from '#kit/pages/send-page.js';
import { plan } from '../control/plan-endpoints.js';
import { keys } from '../messages/keys.js';
import { embeddingModel, modelNames, models } from '../messages/models.js';
import { basePaths, planPath, root } from '../messages/mount.js';
import { renderCases, renderModels, renderOffer } from './offer.js';
import { pinned } from './pinned.js';

const listed = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

const describe = (baseUrl: string) => ({
  baseUrls: {
    openai: `${baseUrl}${basePaths.openai}`,
    // The SDKs add the version, or /api.
    anthropic: `${baseUrl}${root}/anthropic`,
    gemini: `${baseUrl}${root}/gemini`,
    ollama: `${baseUrl}${root}/ollama`,
  },
  models: [
    ...modelNames.map((id) => ({ id, ...models[id] })),
    { id: embeddingModel, canThink: false },
  ],
  keys,
  pinned,
  testPlan: { url: baseUrl + planPath, cases: plan },
});

export const describeLab = listOrPage(root, {
  summary: 'Describe the lab for language models, or get the page',
  list: listed,
  read: describe,
  sendPage: (request, reply) =>
    sendFilledPage(request, reply, 'llm', () => ({
      '<!-- offer -->': renderOffer().text,
      '<!-- cases -->': renderCases().text,
      '<!-- models -->': renderModels().text,
    })),
});
