/** Recursive schemas, bytes inside characters, reasons and headers of providers, and log probabilities. */

import { describe, expect, test } from 'vitest';
import { allKinds } from '../../src/areas/llm/streams/broken-stream.js';
import { useService } from '../support/service.js';
import {
  anthropicKey,
  ask,
  eventsOf,
  headersOf,
  kinds,
  streamBody,
  streamTarget,
  textOf,
} from './llm.js';
import { readRaw } from './support/raw-stream.js';

const service = useService();
const { send } = service;

const put = (sandbox: string, json: object) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });

const self = { $ref: '#' };
const recursive = [
  [
    'a list',
    { type: 'object', properties: { next: { anyOf: [self, { type: 'null' }] } } },
    { next: null },
  ],
  [
    'a tree',
    {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: self } },
    },
    { name: 'name', children: [] },
  ],
  [
    'two definitions',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      required: ['a'],
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
        b: { $ref: '#/$defs/a' },
      },
    },
    { a: {} },
  ],
] as const;

describe.each(recursive)('a recursive schema: %s', (_what, schema, expected) => {
  test('of a chat', async () => {
    const format = { type: 'json_schema', json_schema: { name: 'a', schema } };
    const sent = kinds.chat.body('Fill it.', { response_format: format });
    expect(JSON.parse(textOf('chat', await ask(service, 'chat', sent)))).toEqual(expected);
  });

  test('of a tool of a message', async () => {
    const tools = [{ name: 'fill', input_schema: schema }];
    const sent = kinds.messages.body('Call fill.', { tools });
    const { json } = await ask(service, 'messages', sent);
    expect(json.content[0].input).toEqual(expected);
  });

  test('of Gemini', async () => {
    const generationConfig = { responseMimeType: 'application/json', responseJsonSchema: schema };
    const json = streamBody('gemini', 'Fill it.', false, { generationConfig });
    const target = `POST ${streamTarget('gemini', false)}`;
    const response = await send(target, { json, headers: headersOf('gemini', {}) });
    const [{ text }] = response.json.candidates[0].content.parts;
    expect(JSON.parse(text)).toEqual(expected);
  });

  test('of Ollama', async () => {
    const json = streamBody('ollama', 'Fill it.', false, { format: schema });
    const response = await send(`POST ${streamTarget('ollama', false)}`, { json });
    expect(JSON.parse(response.json.message.content)).toEqual(expected);
  });
});

test('a schema that refers to itself for the same value is rejected', async () => {
  const schema = { type: 'object', allOf: [self] };
  const format = { type: 'json_schema', json_schema: { name: 'a', schema } };
  const sent = kinds.chat.body('Fill it.', { response_format: format });
  const { status, json } = await ask(service, 'chat', sent);
  expect(status).toBe(400);
  expect(json.error.message).toContain('for the same value');
});

test.each(['repeat: Grüße ✓', 'repeat: 日本語', 'count to 3'])(
  'split-utf8 keeps the text of %s',
  async (prompt) => {
    for (const kind of allKinds) {
      const read = (query: string) =>
        readRaw(service.url, {
          target: `POST /s/split${streamTarget(kind, true, query)}`,
          headers: headersOf(kind, {}),
          json: streamBody(kind, prompt, true),
          silence: () => new Promise(() => {}),
        });
      const [usual, split] = [await read(''), await read('misbehave=split-utf8')];
      const withoutNote = split.text.replaceAll(/,"practice_unknown":"[^"]*"/g, '');
      expect(withoutNote).toBe(usual.text);
      expect(split.chunks.length).toBeGreaterThan(usual.chunks.length);
    }
  },
);

describe('reasons of a script', () => {
  test.each([
    ['messages', 'pause_turn', 'pause_turn'],
    ['messages', 'model_context_window_exceeded', 'model_context_window_exceeded'],
    ['messages', 'content_filter', 'refusal'],
    ['chat', 'content_filter', 'content_filter'],
    ['chat', 'model_context_window_exceeded', 'length'],
    ['responses', 'content_filter', 'content_filter'],
  ] as const)('%s: %s is %s', async (kind, stopReason, expected) => {
    const sandbox = `reason-${kind}-${stopReason}`;
    await put(sandbox, { turns: [{ text: 'Half', stopReason }] });
    const { json } = await ask(service, kind, kinds[kind].body('Hi'), { sandbox });
    const reasons = [
      json.stop_reason,
      json.choices?.[0].finish_reason,
      json.incomplete_details?.reason,
    ];
    expect(reasons).toContain(expected);
  });
});

const overloaded = { turns: [{ fault: { status: 529 } }] };
test.each([
  ['a script', 'PUT', '/api/sandbox/llm', overloaded, {}],
  ['a script, for a stream', 'PUT', '/api/sandbox/llm', overloaded, { stream: true }],
  ['a fault plan', 'PUT', '/api/sandbox/faults', { rules: [{ sequence: [{ status: 529 }] }] }, {}],
])('529 by %s has the reason of the provider', async (what, method, path, json, more) => {
  const sandbox = `overloaded-${what.replaceAll(/\W/g, '')}`;
  await send(`${method} /s/${sandbox}${path}`, { json });
  const headers = { 'x-api-key': anthropicKey, 'anthropic-version': '2023-06-01' };
  const { status, statusText } = await fetch(
    `${service.url}/s/${sandbox}/llm/anthropic/v1/messages`,
    {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(kinds.messages.body('Hi', more)),
    },
  );
  expect([status, statusText]).toEqual([529, 'Overloaded']);
});

test.each([
  ['a response', 10, {}, 200],
  ['a stream', 10, { stream: true }, 200],
  ['a request beyond the limit', 6000, {}, 429],
])('limits of tokens of Anthropic are on %s', async (what, words, more, expected) => {
  const sandbox = `anthropic-limits-${what.replaceAll(' ', '-')}`;
  await put(sandbox, { limits: { tokensPerMinute: 5000 } });
  const sent = kinds.messages.body('word '.repeat(words), more);
  const { status, headers } = await ask(service, 'messages', sent, { sandbox });
  expect(status).toBe(expected);
  for (const kind of ['input', 'output']) {
    expect(headers[`anthropic-ratelimit-${kind}-tokens-limit`]).toBe('5000');
    const remaining = Number(headers[`anthropic-ratelimit-${kind}-tokens-remaining`]);
    expect(remaining < 5000).toBe(expected === 200);
    expect(headers[`anthropic-ratelimit-${kind}-tokens-reset`]).toMatch(/^\d{4}-.*Z$/);
  }
});

describe('log probabilities of a chat', () => {
  const sent = kinds.chat.body('count to 3', { logprobs: true, top_logprobs: 2 });

  test('are for each token, with alternatives', async () => {
    const { json } = await ask(service, 'chat', sent);
    const { content, refusal } = json.choices[0].logprobs;
    expect(content.map(({ token }: { token: string }) => token)).toEqual([
      '1',
      ',',
      ' 2',
      ',',
      ' 3',
    ]);
    expect(content[0].top_logprobs[0]).toMatchObject({ token: '1', logprob: content[0].logprob });
    expect(content[0].top_logprobs).toHaveLength(2);
    expect(refusal).toBeNull();
  });

  test('are the same in a stream', async () => {
    const { json } = await ask(service, 'chat', { ...sent, top_logprobs: 0 });
    const events = eventsOf(await ask(service, 'chat', { ...sent, top_logprobs: 0, stream: true }));
    const streamed = events.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []);
    const tokens = (all: { token: string }[]) => all.map(({ token }) => token);
    expect(tokens(streamed)).toEqual(tokens(json.choices[0].logprobs.content));
  });

  test('are null without logprobs', async () => {
    const { json } = await ask(service, 'chat', kinds.chat.body('Hi'));
    expect(json.choices[0].logprobs).toBeNull();
  });
});

describe('log probabilities of a response', () => {
  const include = ['message.output_text.logprobs'];
  const sent = kinds.responses.body('count to 3', { include, top_logprobs: 2 });
  const tokensOf = (all: { token: string }[]) => all.map(({ token }) => token);

  test('are the same as of a chat', async () => {
    const { json } = await ask(service, 'responses', sent);
    const { json: chat } = await ask(
      service,
      'chat',
      kinds.chat.body('count to 3', { logprobs: true, top_logprobs: 2 }),
    );
    expect(json.output[0].content[0].logprobs).toEqual(chat.choices[0].logprobs.content);
    expect(json.top_logprobs).toBe(2);
  });

  test('are in the events of a stream, one for each token', async () => {
    const events = eventsOf(await ask(service, 'responses', { ...sent, stream: true }));
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    const tokens = deltas.flatMap(({ logprobs }) => tokensOf(logprobs));
    expect(tokens).toEqual(['1', ',', ' 2', ',', ' 3']);
    expect(deltas[0].logprobs[0].top_logprobs).toHaveLength(2);
    const [added, done] = ['content_part.added', 'output_text.done'].map((name) =>
      events.find(({ type }) => type === `response.${name}`),
    );
    expect(added.part.logprobs).toEqual([]);
    expect(tokensOf(done.logprobs)).toHaveLength(5);
  });

  test('are empty unless they are requested', async () => {
    const { json } = await ask(service, 'responses', kinds.responses.body('Hi'));
    expect(json.output[0].content[0].logprobs).toEqual([]);
  });
});

test.each([2, 3, 5])('%i choices of a stream arrive in turns', async (n) => {
  const sent = kinds.chat.body('count to 3', { n, stream: true });
  const events = eventsOf(await ask(service, 'chat', sent));
  const indexes = events.map(({ choices }) => choices[0].index);
  const turn = Array.from({ length: n }, (_, index) => index);
  expect(indexes.slice(0, 2 * n)).toEqual([...turn, ...turn]);
});
