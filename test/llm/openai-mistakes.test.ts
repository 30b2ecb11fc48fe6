/** Mistakes in requests to the OpenAI endpoints. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { wrongCalls } from './openai-rejected/calls.js';
import { wrongEmbeddings } from './openai-rejected/embeddings.js';
import { wrongFormats } from './openai-rejected/formats.js';
import { wrongItems } from './openai-rejected/items.js';
import { wrongMessages } from './openai-rejected/messages.js';
import { hello } from './openai-rejected/rejected.js';
import { wrongResponses } from './openai-rejected/responses.js';
import { wrongSettings } from './openai-rejected/settings.js';
import { wrongTools } from './openai-rejected/tools.js';

const { send } = useService();

const base = '/llm/openai/v1';
const headers = { Authorization: 'Bearer sk-practice-openai' };

const endpoints = [
  {
    path: '/chat/completions',
    right: { model: 'practice-1', messages: [hello] },
    rejected: [...wrongMessages, ...wrongCalls, ...wrongSettings, ...wrongTools, ...wrongFormats],
  },
  {
    path: '/responses',
    right: { model: 'practice-1', input: 'Hello' },
    rejected: [...wrongItems, ...wrongResponses],
  },
  {
    path: '/embeddings',
    right: { model: 'practice-embed', input: 'Hello' },
    rejected: wrongEmbeddings,
  },
];

describe.each(endpoints)('POST $path rejects', ({ path, right, rejected }) => {
  test.each(rejected)('$title', async ({ change, status = 400, param, code, message }) => {
    const response = await send(`POST ${base}${path}`, { headers, json: { ...right, ...change } });
    expect(response.json).toEqual({
      error: { message, type: 'invalid_request_error', param, code },
    });
    expect(response.status).toBe(status);
  });

  test('nothing in a right request', async () => {
    const { status } = await send(`POST ${base}${path}`, { headers, json: right });
    expect(status).toBe(200);
  });
});

const chat = `POST ${base}/chat/completions`;
const json = { model: 'practice-1', messages: [hello] };
const typed = { ...headers, 'Content-Type': 'application/json' };

test.each([
  ['no key', chat, { json }, 401, null, null],
  [
    'a wrong key',
    chat,
    { json, headers: { Authorization: 'Bearer sk-wrong' } },
    401,
    null,
    'invalid_api_key',
  ],
  [
    'a key in the query',
    `${chat}?api_key=sk-practice-openai`,
    { json, headers },
    401,
    null,
    'invalid_api_key',
  ],
  ['malformed JSON', chat, { headers: typed, body: '{"model": }' }, 400, null, null],
  ['a body that is no object', chat, { headers, json: [] }, 400, null, null],
  ['an empty body', chat, { headers: typed, body: '' }, 400, null, null],
  [
    'a text as the body',
    chat,
    { headers: { ...headers, 'Content-Type': 'text/plain' }, body: '{}' },
    415,
    null,
    null,
  ],
  ['another method', `PUT ${base}/chat/completions`, { json, headers }, 405, null, null],
  ['an unknown model', `GET ${base}/models/unknown`, { headers }, 404, 'model', 'model_not_found'],
  ['an unknown response', `GET ${base}/responses/resp_unknown`, { headers }, 404, null, null],
  ['an unknown response', `DELETE ${base}/responses/resp_unknown`, { headers }, 404, null, null],
  [
    'an unknown response',
    `POST ${base}/responses/resp_unknown/cancel`,
    { headers },
    404,
    null,
    null,
  ],
  [
    'an unknown response',
    `GET ${base}/responses/resp_unknown/input_items`,
    { headers },
    404,
    null,
    null,
  ],
])('rejects %s: %s', async (_title, target, options, status, param, code) => {
  const response = await send(target, options);
  expect(response.json).toEqual({
    error: {
      message: expect.stringMatching(/^.{10,}[.)]$/),
      type: 'invalid_request_error',
      param,
      code,
    },
  });
  expect(response.status).toBe(status);
});
