/** Each endpoint sends the responses and errors that it describes. */

import { expect, test } from 'vitest';
import { anthropic } from '../../src/areas/llm/anthropic/errors.js';
import { anthropicRoutes } from '../../src/areas/llm/anthropic/routes.js';
import { openai } from '../../src/areas/llm/openai/errors.js';
import { openaiRoutes } from '../../src/areas/llm/openai/routes.js';
import type { JsonObject } from '../../src/base/json-object.js';
import { CheckBudget } from '../../src/json-schema/budget.js';
import { findFaults } from '../../src/json-schema/find-faults.js';
import { useService } from '../support/service.js';
import { headersOf, type KindName, kinds, user } from './llm.js';

const { send } = useService();

const thinking = 'practice-1-thinking';
const enabled = { type: 'enabled', budget_tokens: 1024 };

/** Bodies of requests by method and path. The test creates `:response` first. */
const openaiCalls: Readonly<Record<string, readonly object[]>> = {
  'POST /chat/completions': [
    kinds.chat.body('Hi', { n: 2 }),
    kinds.chat.body('Call get_weather.', { tools: kinds.chat.tools, model: thinking }),
    kinds.chat.body('count to 99', { max_tokens: 2 }),
  ],
  'POST /responses': [
    kinds.responses.body('Hi', { background: true, user: 'a', metadata: { a: 'b' } }),
    kinds.responses.body('count to 99', { max_output_tokens: 16 }),
    kinds.responses.body('Call get_weather.', {
      model: thinking,
      tools: kinds.responses.tools,
      tool_choice: { type: 'function', name: 'get_weather' },
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }),
  ],
  'GET /responses/:response': [{}],
  'GET /responses/:response/input_items': [{}],
  'POST /responses/:response/cancel': [{}],
  'DELETE /responses/:response': [{}],
  'GET /models': [{}],
  'GET /models/:model': [{}],
  'POST /embeddings': [
    { model: 'practice-embed', input: ['a', 'b'] },
    { model: 'practice-embed', input: 'a', encoding_format: 'base64' },
  ],
};

const anthropicCalls: Readonly<Record<string, readonly object[]>> = {
  'POST /messages': [
    kinds.messages.body('Hi'),
    kinds.messages.body('count to 99', { max_tokens: 2, stop_sequences: ['7'] }),
    kinds.messages.body('Call get_weather.', {
      ...{ model: thinking, max_tokens: 2000, thinking: enabled, tools: kinds.messages.tools },
    }),
  ],
  'POST /messages/count_tokens': [{ model: 'practice-1', messages: [user('Hi')] }],
  'GET /models': [{}],
  'GET /models/:model': [{}],
};

const providers = [
  {
    ...{ provider: openai, routes: openaiRoutes, calls: openaiCalls, kind: 'chat' as KindName },
    base: '/s/described/llm/openai/v1',
  },
  {
    ...{
      provider: anthropic,
      routes: anthropicRoutes,
      calls: anthropicCalls,
      kind: 'messages' as KindName,
    },
    base: '/s/described/llm/anthropic/v1',
  },
];

function faultsIn(schema: JsonObject, value: unknown) {
  const found = findFaults(schema, value, new CheckBudget(1e6, 10));
  if (found.isValid === undefined) throw new Error('The value needs too many checks.');
  return found.isValid ? [] : found.faults;
}

test.each(providers)('$base: responses', async ({ routes, calls, kind, base }) => {
  const headers = headersOf(kind, {});
  const created = await send(`POST ${base}/responses`, {
    json: kinds.responses.body('Hi', { background: true }),
    headers,
  });
  const ids: Readonly<Record<string, string>> = {
    ':response': created.json.id,
    ':model': 'practice-1',
  };
  const targets = routes.map(({ method, path }) => `${method} ${path}`);
  expect(targets.toSorted()).toEqual(Object.keys(calls).toSorted());
  for (const [target, bodies] of Object.entries(calls)) {
    const route = routes[targets.indexOf(target)];
    const path = target.replace(/:\w+/, (name) => ids[name] ?? '').replace(' ', ` ${base}`);
    for (const json of bodies) {
      const { status, json: body } = await send(path, { headers, ...(route?.body && { json }) });
      expect(status, target).toBe(200);
      expect(faultsIn(route?.response ?? {}, body), target).toEqual([]);
    }
  }
});

test.each(providers)('$base: errors', async ({ provider, routes, kind, base }) => {
  const [{ path } = { path: '' }] = routes;
  const target = `POST ${base}${path}`;
  const headers = headersOf(kind, {});
  const wrong = [
    [400, { headers, json: {} }],
    [401, { json: {} }],
    [404, { headers, json: { ...kinds[kind].body('Hi'), model: 'other' } }],
    [415, { headers: { ...headers, 'Content-Type': 'text/plain' }, body: 'Hi' }],
  ] as const;
  for (const [expected, options] of wrong) {
    const { status, json } = await send(target, {
      ...options,
      headers: { 'anthropic-version': '2023-06-01', ...('headers' in options && options.headers) },
    });
    expect(status).toBe(expected);
    expect(faultsIn(provider.errorSchema, json), `${status}`).toEqual([]);
  }
});
