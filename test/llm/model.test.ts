/** The rules of the model without weights. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { ask, eventsOf, kindNames, kinds, textOf } from './llm.js';

const service = useService();
const { send } = service;

describe.each(kindNames)('%s:', (kind) => {
  const { body, tools } = kinds[kind];
  const limit = kind === 'chat' ? 'max_completion_tokens' : 'max_tokens';
  const maxTokens = kind === 'responses' ? 'max_output_tokens' : limit;

  test.each([
    ['repeat: Grüße, Welt!', 'Grüße, Welt!'],
    ['Please count to 5.', '1, 2, 3, 4, 5'],
    ['What is the capital of Norway?', 'The capital of Norway is Oslo.'],
    ['what is the capital of FRANCE ?', 'The capital of France is Paris.'],
    ['Who wrote "The Hobbit"?', '"The Hobbit" was written by J. R. R. Tolkien.'],
    ['Who wrote 1984?', '"1984" was written by George Orwell.'],
    ['What is the capital of Atlantis?', 'You wrote: What is the capital of Atlantis?'],
    ['Hello', 'You wrote: Hello'],
  ])('%s', async (prompt, expected) => {
    expect(textOf(kind, await ask(service, kind, body(prompt)))).toBe(expected);
  });

  test('a question gets data of the sandbox', async () => {
    const sandbox = `model-${kind}`;
    await send(`PATCH /s/${sandbox}/api/Countries/1`, { json: { capital: 'Herat' } });
    const prompt = body('What is the capital of Afghanistan?');
    const changed = await ask(service, kind, prompt, { sandbox });
    expect(textOf(kind, changed)).toBe('The capital of Afghanistan is Herat.');
    expect(textOf(kind, await ask(service, kind, prompt))).toContain('Kabul');
  });

  test.each([
    ['What is the weather?', true],
    ['Use get_weather', true],
    ['What is the capital of Norway?', false],
  ])('a tool fits the prompt %s: %s', async (prompt, isCalled) => {
    const { text } = await ask(service, kind, body(prompt, { tools }));
    expect(/"arguments"|"tool_use"/.test(text)).toBe(isCalled);
  });

  test('the arguments are valid by the schema', async () => {
    const { text } = await ask(service, kind, body('What is the weather?', { tools }));
    expect(JSON.parse(text.replaceAll('\\"', '"').match(/\{"city[^}]*\}/)?.[0] ?? '')).toEqual({
      city: 'city',
      days: 1,
    });
  });

  test('the maximum of tokens cuts, and says so', async () => {
    const { json, text } = await ask(service, kind, body('count to 100', { [maxTokens]: 16 }));
    const { usage } = json;
    expect(usage.output_tokens ?? usage.completion_tokens).toBe(16);
    const reason = { chat: '"length"', responses: '"max_output_tokens"', messages: '"max_tokens"' };
    expect(text).toContain(reason[kind]);
    expect(text).toContain('1, 2, 3, 4, 5, 6, 7, 8');
    expect(text).not.toContain('8, 9');
  });

  test('a stream has the same text and usage', async () => {
    const prompt = 'repeat: One token after the other.';
    const whole = await ask(service, kind, body(prompt));
    const options = kind === 'chat' ? { stream_options: { include_usage: true } } : {};
    const streamed = await ask(service, kind, body(prompt, { stream: true, ...options }));
    expect(streamed.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const events = eventsOf(streamed);
    const text = events
      .map((event) => event.choices?.[0]?.delta.content ?? event.delta?.text ?? event.delta ?? '')
      .filter((each) => typeof each === 'string')
      .join('');
    expect(text).toBe(textOf(kind, whole));
    const usages = events.map(({ usage, response }) => usage ?? response?.usage);
    expect(usages.findLast((usage) => usage)).toMatchObject(
      kind === 'messages' ? { output_tokens: whole.json.usage.output_tokens } : whole.json.usage,
    );
  });
});

test.each([
  ['chat', 'stop', { stop: [', 4', ', 3'] }, '1, 2'],
  ['messages', 'stop_sequence', { stop_sequences: [', 3'] }, '1, 2'],
] as const)('%s: a stop sequence ends the text with %s', async (kind, reason, extra, text) => {
  const response = await ask(service, kind, kinds[kind].body('count to 9', extra));
  expect(textOf(kind, response)).toBe(text);
  expect(response.text).toContain(`"${reason}"`);
});

const schema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Z]{3}-\\d{2,4}$' },
    mail: { type: 'string', format: 'email' },
    level: { enum: ['low', 'high'] },
    ratio: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    count: { type: 'integer', minimum: 10, multipleOf: 4 },
    tags: {
      type: 'array',
      items: { type: 'string', minLength: 8 },
      minItems: 2,
      uniqueItems: true,
    },
    place: { $ref: '#/$defs/place' },
    choice: { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
  },
  required: ['id', 'mail', 'level', 'ratio', 'count', 'tags', 'place', 'choice'],
  additionalProperties: false,
  $defs: {
    place: {
      type: 'object',
      properties: { lat: { type: 'number', maximum: -1 } },
      required: ['lat'],
      additionalProperties: false,
    },
  },
};

test('a response schema is filled with a valid value', async () => {
  const { json } = await ask(
    service,
    'chat',
    kinds.chat.body('Fill it.', {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'thing', schema },
      },
    }),
  );
  expect(JSON.parse(json.choices[0].message.content)).toEqual({
    ...{ id: 'AAA-11', mail: 'ada@example.com', level: 'low', ratio: 1, count: 12 },
    ...{ tags: ['tagsxxxx', 'tagsxxxx2'], place: { lat: -1 }, choice: null },
  });
});

test.each([
  ['a schema without a value', { type: 'object', properties: { a: { not: {} } }, required: ['a'] }],
  [
    'endless text',
    { type: 'object', properties: { a: { type: 'string', minLength: 1e9 } }, required: ['a'] },
  ],
  [
    'references that multiply',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/l0' } },
      $defs: Object.fromEntries(
        Array.from({ length: 12 }, (_, level) => [
          `l${level}`,
          {
            type: 'object',
            properties: Object.fromEntries(
              ['a', 'b', 'c', 'd'].map((name) => [
                name,
                level === 11 ? { type: 'string' } : { $ref: `#/$defs/l${level + 1}` },
              ]),
            ),
          },
        ]),
      ),
    },
  ],
])('%s is rejected', async (_what, parameters) => {
  const tool = { type: 'function', function: { name: 'f', parameters } };
  const { status, json } = await ask(
    service,
    'chat',
    kinds.chat.body('Use f', { tools: [tool], tool_choice: 'required' }),
  );
  expect(status).toBe(400);
  expect(json.error.type).toBe('invalid_request_error');
});

test('usage is the same everywhere', async () => {
  const prompt = kinds.messages.body('Hello there, how are you?', { system: 'Be brief.' });
  const counted = await send('POST /llm/anthropic/v1/messages/count_tokens', {
    json: { model: prompt.model, messages: prompt.messages, system: 'Be brief.' },
    headers: { 'x-api-key': 'sk-practice-anthropic', 'anthropic-version': '2023-06-01' },
  });
  const used = (await ask(service, 'messages', prompt)).json.usage.input_tokens;
  expect(counted.json).toEqual({ input_tokens: used });
  const chat = await ask(service, 'chat', {
    model: 'practice-1',
    messages: [{ role: 'system', content: 'Be brief.' }, ...prompt.messages],
  });
  expect(chat.json.usage.prompt_tokens).toBe(used);
});

test('the prompt of practice-1-small is short', async () => {
  const body = { ...kinds.chat.body('count to 2 '.repeat(400)), model: 'practice-1-small' };
  const { status, json } = await ask(service, 'chat', body);
  expect(status).toBe(400);
  expect(json.error.code).toBe('context_length_exceeded');
});
