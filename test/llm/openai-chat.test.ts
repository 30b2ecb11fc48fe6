/** Chat completions, embeddings and models of the OpenAI endpoints. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

const base = '/llm/openai/v1';
const headers = { Authorization: 'Bearer sk-practice-openai' };
const user = (content: unknown) => ({ role: 'user', content });
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

async function complete(change: object) {
  const json = { model: 'practice-1', messages: [user('repeat: Hello world')], ...change };
  const response = await send(`POST ${base}/chat/completions`, { headers, json });
  expect(response.status).toBe(200);
  return response;
}

async function stream(change: object) {
  const { text } = await complete({ stream: true, ...change });
  const data = text
    .trimEnd()
    .split('\n\n')
    .map((block) => block.replace(/^data: /, ''));
  expect(data.at(-1)).toBe('[DONE]');
  return data.slice(0, -1).map((each) => JSON.parse(each));
}

test('a completion', async () => {
  const { json } = await complete({ n: 2, seed: 1 });
  expect(json).toEqual({
    id: expect.stringMatching(/^chatcmpl-[A-Za-z0-9]{29}$/),
    object: 'chat.completion',
    created: expect.any(Number),
    model: 'practice-1',
    service_tier: 'default',
    system_fingerprint: 'fp_practice1',
    choices: [0, 1].map((index) => ({
      index,
      message: { role: 'assistant', content: 'Hello world', refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    })),
    usage: expect.objectContaining({ total_tokens: json.usage.prompt_tokens + 8 }),
  });
  expect((await complete({ n: 2, seed: 1 })).json).toEqual(json);
});

test('chunks have the role, tokens, the reason and the usage', async () => {
  const chunks = await stream({ stream_options: { include_usage: true } });
  expect(chunks.map(({ choices: [choice] }) => choice?.delta)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    ...['Hell', 'o', ' worl', 'd'].map((content) => ({ content })),
    {},
    undefined,
  ]);
  expect(chunks.at(-2).choices[0].finish_reason).toBe('stop');
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } });
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
});

test('arguments of a call are streamed in pieces', async () => {
  const chunks = await stream({ messages: [user('The weather in Oslo?')], tools: [weather] });
  const deltas = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
  expect(deltas[0]).toEqual({
    index: 0,
    id: expect.stringMatching(/^call_/),
    type: 'function',
    function: { name: 'weather', arguments: '' },
  });
  expect(deltas.length).toBeGreaterThan(3);
  const text = deltas.map((delta) => delta.function.arguments).join('');
  expect(JSON.parse(text)).toEqual({ city: expect.any(String) });
  expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
});

test('a result of a tool is accepted with the message of its call', async () => {
  const question = user('The weather in Oslo?');
  const first = (await complete({ messages: [question], tools: [weather] })).json;
  const { message } = first.choices[0];
  expect(message.content).toBeNull();
  const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Rain' };
  const second = await complete({ messages: [question, message, result], tools: [weather] });
  expect(second.json.choices[0].message.content).toContain('Rain');
});

test.each([
  ['parts', { messages: [user([{ type: 'text', text: 'repeat: Hello' }])] }],
  [
    'an image',
    { messages: [user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])] },
  ],
  ['nulls', { temperature: null, stop: null, max_tokens: null, n: null, logit_bias: null }],
  ['a format', { response_format: { type: 'json_object' }, messages: [user('Write JSON.')] }],
  [
    'members that the SDK adds',
    {
      messages: [
        user('The weather in Oslo?'),
        {
          role: 'assistant',
          content: null,
          parsed: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'weather', arguments: '{}', parsed_arguments: {} },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      ],
    },
  ],
  [
    'allowed tools',
    {
      tools: [weather],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'required',
          tools: [{ type: 'function', function: { name: 'weather' } }],
        },
      },
    },
  ],
  [
    'a schema of draft 7',
    {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'city',
          schema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: { city: { $ref: '#/definitions/city' } },
            definitions: { city: { type: 'string' } },
          },
        },
      },
    },
  ],
])('a right request with %s is accepted', async (_what, change) => {
  await complete(change);
});

test('a format without a schema allows any object', async () => {
  const format = { type: 'json_schema', json_schema: { name: 'any' } };
  const { json } = await complete({ response_format: format });
  expect(JSON.parse(json.choices[0].message.content)).toBeTypeOf('object');
});

test('embeddings of similar texts are near, as numbers and as bytes', async () => {
  const embed = async (change: object) => {
    const json = { model: 'practice-embed', ...change };
    return (await send(`POST ${base}/embeddings`, { headers, json })).json;
  };
  const input = ['the cat sat on the mat', 'a cat sat on a mat', 'ten percent more revenue'];
  const { data, usage } = await embed({ input });
  const product = (left: number, right: number) =>
    data[left].embedding.reduce(
      (sum: number, value: number, index: number) => sum + value * data[right].embedding[index],
      0,
    );
  expect(data[0].embedding).toHaveLength(256);
  expect(product(0, 0)).toBeCloseTo(1, 5);
  expect(product(0, 1)).toBeGreaterThan(product(0, 2) + 0.2);
  expect(usage.prompt_tokens).toBe(usage.total_tokens);
  const encoded = await embed({ input: input[0], encoding_format: 'base64' });
  const bytes = Buffer.from(encoded.data[0].embedding, 'base64');
  expect(bytes.readFloatLE(0)).toBeCloseTo(data[0].embedding[0], 6);
  expect(bytes).toHaveLength(4 * 256);
});

test('models are listed', async () => {
  const { data } = (await send(`GET ${base}/models`, { headers })).json;
  expect(data).toHaveLength(4);
  for (const model of data) {
    expect((await send(`GET ${base}/models/${model.id}`, { headers })).json).toEqual(model);
  }
});
