/** A lab for clients of language models: two APIs, strict, without weights, and with broken streams. */

import { hash } from 'node:crypto';
import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Area, Failure } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { fixedHeadersToken } from '#kit/offers/entries.js';
import type { Services } from '#kit/services.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { datasetsOf } from '#state/rows/datasets-of.js';
import { findingsEndpoints } from './control/findings-endpoints.js';
import { planJudge, rulesJudge } from './control/judges.js';
import { planEndpoints } from './control/plan-endpoints.js';
import { scriptEndpoints } from './control/script-endpoints.js';
import { providerEndpoints, providerOf } from './endpoints.js';
import { keys } from './exchange/keys.js';
import { generationPaths, lostPaths, planPath, root } from './messages/mount.js';
import type { LlmParts } from './messages/provider.js';
import { describeLab } from './page/index-endpoint.js';

export const llmArea = {
  name: 'llm',
  title: 'Language models',
  guide: 'llm',
  summary: 'The APIs of OpenAI and Anthropic, strict and without weights, with broken streams.',
  front: {
    group: 'ai',
    start: planPath,
    page: { path: root },
    purposes: [
      {
        purpose: 'test',
        title: 'Language models',
        says: 'The APIs of OpenAI and Anthropic, strict, with broken streams.',
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
  failures: { negotiated: { below: [root], types: ['application/json'], lost: lostPaths }, shape },
  offers: [
    judgeToken.of(() => rulesJudge),
    judgeToken.of(() => planJudge),
    fixedHeadersToken.of(() => ({ below: root, values: headersOf })),
    credentialsToken.of(() => ({
      title: 'Language models',
      schema: {
        llm: Type.Object({
          openai: Type.String(),
          anthropic: Type.String(),
          quota: Type.String({ description: 'Always out of quota.' }),
        }),
      },
      read: () => ({ llm: keys }),
    })),
  ],
  securitySchemes: {
    openaiKey: { type: 'http', scheme: 'bearer' },
    apiKeyAnthropic: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  },
  endpoints(services) {
    const parts = partsOf(services);
    return [
      describeLab,
      ...scriptEndpoints,
      ...findingsEndpoints,
      ...planEndpoints,
      ...providerEndpoints(parts),
    ];
  },
} satisfies Area;

function partsOf({ runtime, limits, sandboxes }: Services): LlmParts {
  return { services: { ...runtime, ...limits }, datasetOf: datasetsOf(sandboxes.datasets) };
}

/** Returns the id of a request in the format of a provider; the same one for the same request. */
function requestIdOf({ id }: Request): string {
  const text = hash('sha256', id, 'base64url').replace(/[-_]/g, 'x');
  return `req_01${text.slice(0, 22)}`;
}

/** Writes failures as the provider of the path does. */
function shape(request: Request, failure: Failure): ShapedFailure | undefined {
  const provider = providerOf(request);
  if (provider === undefined) return undefined;
  const body = JSON.stringify(provider.errorBody(failure, requestIdOf(request)));
  return { contentType: 'application/json; charset=utf-8', body };
}

function headersOf(request: Request): Readonly<Record<string, string>> {
  // OpenAI calls it X-Request-Id, as this service does.
  const name = providerOf(request)?.name;
  return name === 'anthropic' ? { 'request-id': requestIdOf(request) } : {};
}
