/** Mistakes in requests to the Anthropic endpoints. */

import { describe, expect, test } from 'vitest';
import { readMessageRequest } from '../../src/areas/llm/anthropic/request/read-request.js';
import type { Request } from '../../src/http/exchange.js';
import { useService } from '../support/service.js';
import { assistant, call, rejected, result, tool, user, words } from './anthropic-rejected.js';

const { send } = useService();

const base = '/llm/anthropic/v1';

const headers = { 'x-api-key': 'sk-practice-anthropic', 'anthropic-version': '2026-10-21' };

const right = { model: 'practice-1', max_tokens: 100, messages: [user('repeat: Hello')] };

function post(change: object, version = headers['anthropic-version'], path = '/messages') {
  return send(`POST ${base}${path}`, {
    json: { ...right, ...change },
    headers: { ...headers, 'anthropic-version': version },
  });
}

describe('rejected:', () => {
  test.each(rejected)(
    '$title',
    async ({ change, version, path, status, type, message, details }) => {
      const response = await post(change, version, path);
      expect(response.json).toEqual({
        type: 'error',
        error: {
          ...{ type: type ?? 'invalid_request_error', message },
          ...(details && { details }),
        },
        request_id: expect.stringMatching(/^req_/),
      });
      expect(response.status).toBe(status ?? 400);
      expect(response.headers['request-id']).toBe(response.json.request_id);
    },
  );

  test.each([
    [undefined, 'anthropic-version: This header is required. Send 2023-06-01 or 2026-10-21.'],
    ['2023-01-01', 'anthropic-version: Unknown version. Send 2023-06-01 or 2026-10-21.'],
  ])('the version %s', async (version, message) => {
    for (const target of [`POST ${base}/messages`, `GET ${base}/models`]) {
      const { status, json } = await send(target, {
        headers: {
          'x-api-key': headers['x-api-key'],
          ...(version !== undefined && { 'anthropic-version': version }),
        },
        ...(target.startsWith('POST') && { json: right }),
      });
      expect(status).toBe(400);
      expect(json.error).toEqual({ type: 'invalid_request_error', message });
    }
  });

  test.each([
    ['/models/claude-unknown', 404, 'not_found_error', /^model: Unknown model; /],
    ['/models?limit=0', 400, 'invalid_request_error', /^limit: This must be an integer from 1/],
    ['/models?after_id=x', 400, 'invalid_request_error', /^after_id: This must be the id/],
    [
      '/models?after_id=practice-1&before_id=practice-1',
      400,
      'invalid_request_error',
      /^before_id: Use either before_id or after_id\.$/,
    ],
  ])('GET %s', async (path, status, type, message) => {
    const response = await send(`GET ${base}${path}`, { headers });
    expect(response.status).toBe(status);
    expect(response.json.error).toEqual({ type, message: expect.stringMatching(message) });
  });
});

test('a dropped thinking block breaks a rule', async () => {
  const path = '/s/dropped-thinking';
  await send(`POST ${path}${base}/messages`, {
    json: {
      ...{ model: 'practice-1-thinking', max_tokens: 2000 },
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [user('Weather?'), assistant([call('toolu_1')]), user([result('toolu_1')])],
    },
    headers,
  });
  const { json } = await send(`GET ${path}/api/sandbox/llm/findings`);
  expect(json.findings).toMatchObject([{ rule: 'thinking-unaltered' }]);
});

describe('keys:', () => {
  const version = { 'anthropic-version': '2023-06-01' };

  test('a bearer token is accepted', async () => {
    const authorization = 'Bearer sk-practice-anthropic';
    const response = await send(`POST ${base}/messages`, {
      json: right,
      headers: { ...version, authorization },
    });
    expect(response.status).toBe(200);
    expect(response.headers['request-id']).toMatch(/^req_/);
  });

  test.each([
    ['no key', {}],
    ['a wrong key', { 'x-api-key': 'sk-wrong' }],
    ['the key of the other provider', { 'x-api-key': 'sk-practice-openai' }],
  ])('%s', async (_, key) => {
    const { status, json } = await send(`POST ${base}/messages`, {
      json: right,
      headers: { ...version, ...key },
    });
    expect(status).toBe(401);
    expect(json).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  });
});

describe('accepted:', () => {
  const pixel = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
  test.each([
    ['text blocks', { messages: [user([words('Hello'), words('there')])] }],
    ['consecutive user messages', { messages: [user('Hello'), user('there')] }],
    ['the beginning of the response', { messages: [user('Hello'), assistant('Yes')] }],
    ['images', { messages: [user([{ type: 'image', source: pixel }, words('What is this?')])] }],
    [
      'a document of text',
      {
        messages: [
          user([
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'Rain' },
              title: 'Weather',
              cache_control: { type: 'ephemeral', ttl: '1h' },
            },
          ]),
        ],
      },
    ],
    ['a system prompt of blocks', { system: [words('Be brief.')] }],
    ['a system message', { messages: [user('Hello'), { role: 'system', content: 'Be brief.' }] }],
    [
      'results in turn',
      {
        tools: [
          tool('weather', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }),
        ],
        messages: [
          user('Weather?'),
          assistant([words('Let me see.'), call('toolu_1'), call('toolu_2')]),
          user([result('toolu_2'), result('toolu_1', [words('Sun')]), words('Well?')]),
        ],
      },
    ],
    [
      'results in two messages',
      {
        messages: [
          user('Weather?'),
          assistant([call('toolu_1'), call('toolu_2')]),
          user([result('toolu_2')]),
          user([result('toolu_1')]),
        ],
      },
    ],
    ['null for absent fields', { cache_control: null, output_config: { format: null } }],
    ['null for fields that are not supported', { context_management: null, compaction: null }],
    ['null for a container and a thread', { container: null, thread: null }],
    ['nothing to edit, and no servers', { context_management: { edits: [] }, mcp_servers: [] }],
    ['a context management without edits', { context_management: {} }],
    ['a profile and a workspace', { user_profile_id: 'p', workspace_id: 'w' }],
    ['no thinking', { thinking: { type: 'disabled' } }],
    ['metadata', { metadata: { user_id: 'ann' }, service_tier: 'auto', stop_sequences: ['END'] }],
  ])('%s', async (_, change) => {
    const { status, json } = await post(change);
    expect(json).toMatchObject({ type: 'message', role: 'assistant', model: 'practice-1' });
    expect(status).toBe(200);
    const { max_tokens, service_tier, metadata, stop_sequences, container, thread, ...counted } = {
      ...right,
      container: 0,
      thread: 0,
      service_tier: 0,
      metadata: 0,
      stop_sequences: 0,
      ...change,
    };
    const count = await send(`POST ${base}/messages/count_tokens`, { json: counted, headers });
    expect(count.json).toEqual({ input_tokens: json.usage.input_tokens });
  });

  test('sampling in the older version', async () => {
    const { status } = await post({ temperature: 0.5, top_k: 5, top_p: 0.9 }, '2023-06-01');
    expect(status).toBe(200);
  });

  test('a conversation that repeats the thinking', async () => {
    const tools = [tool('weather')];
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const start = { model: 'practice-1-thinking', max_tokens: 2000, thinking, tools };
    const question = user('Use the tool weather.');
    const first = await post({ ...start, messages: [question] });
    expect(first.json.content[0]).toMatchObject({ type: 'thinking' });
    const { id } = first.json.content.find(({ type }: { type: string }) => type === 'tool_use');
    const messages = [question, assistant(first.json.content), user([result(id)])];
    expect((await post({ ...start, messages })).status).toBe(200);
  });

  test('a result of a tool that failed', () => {
    const messages = [
      user('Weather?'),
      assistant([call('toolu_1'), call('toolu_2'), call('toolu_3')]),
      user([
        { ...result('toolu_1', 'No network'), is_error: true },
        { ...result('toolu_2'), is_error: false },
        result('toolu_3'),
      ]),
    ];
    const request = { headers } as unknown as Request;
    const { conversation } = readMessageRequest({ ...right, messages }, request);
    expect(conversation.turns.at(-1)?.results).toEqual([
      { id: 'toolu_1', text: 'No network', isError: true },
      { id: 'toolu_2', text: 'Rain' },
      { id: 'toolu_3', text: 'Rain' },
    ]);
  });

  test('pages of models', async () => {
    const first = await send(`GET ${base}/models?limit=2`, { headers });
    expect(first.json).toMatchObject({
      data: [{ id: 'practice-1', type: 'model' }, { id: 'practice-1-thinking' }],
      has_more: true,
      first_id: 'practice-1',
      last_id: 'practice-1-thinking',
    });
    const next = await send(`GET ${base}/models?after_id=practice-1-thinking`, { headers });
    expect(next.json).toMatchObject({ data: [{ id: 'practice-1-small' }], has_more: false });
    const before = await send(`GET ${base}/models?before_id=practice-1-small&limit=1`, { headers });
    expect(before.json).toMatchObject({ data: [{ id: 'practice-1-thinking' }], has_more: true });
  });
});
