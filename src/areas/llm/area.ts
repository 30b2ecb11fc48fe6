/** A lab for clients of language models: four APIs, strict, without weights, and with broken streams. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import type { Area } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { fixedHeadersToken } from '#kit/offers/entries.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { keys } from './messages/keys.js';
import { generationPaths, lostPaths, planPath, providerNameOf, root } from './messages/mount.js';
import { requestIdOf } from './messages/request-id.js';

const loaded = () => import('./loaded.js');

export const llmArea = {
  name: 'llm',
  title: 'Language models',
  guide: 'llm',
  summary: 'The APIs of OpenAI, Anthropic, Gemini and Ollama, strict, with broken streams.',
  front: {
    group: 'ai',
    start: planPath,
    page: { path: root },
    purposes: [
      {
        purpose: 'test',
        title: 'Language models',
        says: 'The APIs of OpenAI, Anthropic, Gemini and Ollama, with broken streams.',
        base: '/llm/openai/v1',
        line: "curl -s {base}/llm/openai/v1/models -H 'Authorization: Bearer sk-practice-openai'",
        links: [
          ['Page', '/llm'],
          ['Test plan', '/guides/llm/test-your-error-handling'],
          ['Guide', '/guides/llm'],
        ],
      },
    ],
    banner: (baseUrl) => ['Language models', baseUrl + root],
    examples: () => [
      {
        title: 'Ask the model without weights',
        method: 'POST',
        path: generationPaths.chat,
        headers: { Authorization: `Bearer ${keys.openai}` },
        json: {
          model: 'practice-1',
          messages: [{ role: 'user', content: 'What is the capital of Norway?' }],
        },
        response: { status: 200, has: 'The capital of Norway is Oslo.' },
      },
    ],
  },
  failures: {
    negotiated: { below: [root], types: ['application/json'], lost: lostPaths },
    shape: async (request, failure) => (await loaded()).shape(request, failure),
  },
  offers: [
    judgeToken.of(async () => (await loaded()).rulesJudge),
    judgeToken.of(async () => (await loaded()).planJudge),
    fixedHeadersToken.of(() => ({ below: root, values: headersOf })),
    credentialsToken.of(() => ({
      title: 'Language models',
      schema: {
        llm: Type.Object({
          openai: Type.String(),
          anthropic: Type.String(),
          gemini: Type.String(),
          quota: Type.String({ description: 'Always out of quota.' }),
        }),
      },
      read: () => ({ llm: keys }),
    })),
  ],
  securitySchemes: {
    openaiKey: { type: 'http', scheme: 'bearer' },
    apiKeyAnthropic: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    apiKeyGoogle: { type: 'apiKey', in: 'header', name: 'X-Goog-Api-Key' },
  },
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
} satisfies Area;

function headersOf(request: Request): Readonly<Record<string, string>> {
  // OpenAI calls it X-Request-Id, as this service does.
  return providerNameOf(request) === 'anthropic' ? { 'request-id': requestIdOf(request) } : {};
}
