/** Responses that the sandbox stores, and their streams. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

const headers = { Authorization: 'Bearer sk-practice-openai' };
const weather = {
  type: 'function',
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

function clientOf(sandbox: string) {
  const base = `/s/${sandbox}/llm/openai/v1/responses`;
  return {
    base,
    async create(change: object) {
      const json = { model: 'practice-1', input: 'repeat: Hello', ...change };
      const response = await send(`POST ${base}`, { headers, json });
      expect(response.status).toBe(200);
      return response.json;
    },
    get: (id: string, query = '') => send(`GET ${base}/${id}${query}`, { headers }),
    cancel: (id: string) => send(`POST ${base}/${id}/cancel`, { headers }),
    items: (id: string, query = '') => send(`GET ${base}/${id}/input_items${query}`, { headers }),
    moveClock: (offsetSeconds: number) =>
      send(`PUT /s/${sandbox}/api/sandbox/clock`, { json: { offsetSeconds } }),
  };
}

test('a response is stored, listed and deleted', async () => {
  const { base, create, get, items } = clientOf('stored');
  const created = await create({ instructions: 'Be kind.', metadata: { run: '1' } });
  expect(created.output[0].content[0].text).toBe('Hello');
  expect((await get(created.id)).json).toEqual(created);
  const { data } = (await items(created.id)).json;
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'repeat: Hello' }],
    },
  ]);
  const deleted = await send(`DELETE ${base}/${created.id}`, { headers });
  expect(deleted.json).toEqual({ id: created.id, object: 'response', deleted: true });
  expect((await get(created.id)).status).toBe(404);
});

test('a response without storage is not found', async () => {
  const { create, get } = clientOf('unstored');
  const { id } = await create({ store: false });
  expect((await get(id)).status).toBe(404);
});

test('members that the SDK adds to output are accepted, and not stored', async () => {
  const { create, items } = clientOf('parsed');
  const input = [
    { role: 'user', content: 'What is the weather in Oslo?' },
    {
      ...{ type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
      parsed_arguments: {},
    },
    { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
    {
      ...{ type: 'message', role: 'assistant' },
      content: [{ type: 'output_text', text: '{}', annotations: [], parsed: {} }],
    },
    { role: 'user', content: 'Thanks' },
  ];
  const { id } = await create({ input });
  expect((await items(id)).text).not.toContain('parsed');
});

test.each([null, []])('%j is accepted as the context management', async (value) => {
  await clientOf('managed').create({ context_management: value });
});

test.each([
  [
    '?stream=true',
    'stream',
    'unsupported_parameter',
    "Unsupported parameter: 'stream'. Only new responses are streamed.",
  ],
  [
    '?starting_after=3',
    'starting_after',
    'unsupported_parameter',
    "Unsupported parameter: 'starting_after'. Stored responses are not streamed.",
  ],
  [
    '?stream=yes',
    'stream',
    'invalid_value',
    "Invalid value 'yes' for 'stream': use 'true', 'false'.",
  ],
  ['?toString=1', 'toString', 'unknown_parameter', "Unknown parameter: 'toString'."],
])('a query for a response is rejected: %s', async (query, param, code, message) => {
  const { create, get } = clientOf('wrong-queries');
  const { id } = await create({});
  const { status, json } = await get(id, query);
  expect(json).toEqual({ error: { message, type: 'invalid_request_error', param, code } });
  expect(status).toBe(400);
});

const shown = 'include[]=reasoning.encrypted_content';

test.each([
  '?stream=false',
  `?${shown}&include_obfuscation=false`,
  `?${shown}&include[]=file_search_call.results`,
  '?include[]=message.output_text.logprobs',
  '?include=reasoning.encrypted_content',
])('a query for a response is accepted: %s', async (query) => {
  const { create, get } = clientOf('right-queries');
  const created = await create({});
  expect((await get(created.id, query)).json).toEqual(created);
});

test('a conversation continues from the previous response', async () => {
  const { create } = clientOf('chain');
  const first = await create({ input: 'What is the weather in Oslo?', tools: [weather] });
  const call = first.output[0];
  expect(call).toMatchObject({ type: 'function_call', name: 'weather', status: 'completed' });
  const input = [{ type: 'function_call_output', call_id: call.call_id, output: 'Rain' }];
  const second = await create({ previous_response_id: first.id, input });
  expect(second.output[0].content[0].text).toContain('Rain');
  expect(second.usage.input_tokens).toBeGreaterThan(first.usage.output_tokens);
});

test('an item is referred to by its id', async () => {
  const { create } = clientOf('reference');
  const first = await create({ input: 'What is the weather in Oslo?', tools: [weather] });
  const [call] = first.output;
  const second = await create({
    input: [
      { role: 'user', content: 'What is the weather in Oslo?' },
      { type: 'item_reference', id: call.id },
      { type: 'function_call_output', call_id: call.call_id, output: 'Rain' },
    ],
  });
  expect(second.output[0].content[0].text).toContain('Rain');
});

test('a response in the background is complete after one second', async () => {
  const { create, get, moveClock } = clientOf('background');
  const queued = await create({ background: true });
  expect(queued).toMatchObject({ status: 'queued', output: [], completed_at: null });
  expect(queued).not.toHaveProperty('usage');
  await moveClock(0.5);
  expect((await get(queued.id)).json.status).toBe('in_progress');
  await moveClock(2);
  const { json } = await get(queued.id);
  expect(json).toMatchObject({ id: queued.id, status: 'completed' });
  expect(json.output[0].content[0].text).toBe('Hello');
});

test('only a response in the background is cancelled, and only before it is complete', async () => {
  const { create, get, cancel, moveClock } = clientOf('cancel');
  const [open, done, other] = [
    await create({ background: true }),
    await create({ background: true }),
    await create({}),
  ];
  expect((await cancel(open.id)).json).toMatchObject({ status: 'cancelled', output: [] });
  await moveClock(2);
  expect((await get(open.id)).json.status).toBe('cancelled');
  expect((await cancel(done.id)).json.status).toBe('completed');
  expect(await cancel(other.id)).toMatchObject({
    status: 400,
    json: {
      error: {
        message: "Only a response with 'background': true can be cancelled.",
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
  });
});

test('the input is listed in pages', async () => {
  const { create, items } = clientOf('pages');
  const input = ['one', 'two', 'repeat: three'].map((content) => ({ role: 'user', content }));
  const { id } = await create({ input });
  const textsOf = (json: { readonly data: readonly { readonly content: readonly object[] }[] }) =>
    json.data.map(({ content }) => (content[0] as { readonly text: string }).text);
  const newest = (await items(id, '?limit=2')).json;
  expect(textsOf(newest)).toEqual(['repeat: three', 'two']);
  expect(newest).toMatchObject({ has_more: true, first_id: newest.data[0].id });
  const rest = (await items(id, `?after=${newest.last_id}`)).json;
  expect(textsOf(rest)).toEqual(['one']);
  expect(rest.has_more).toBe(false);
  expect(textsOf((await items(id, '?order=asc')).json)).toEqual(['one', 'two', 'repeat: three']);
});

test.each([
  ['?limit=101', 'limit', 'integer_above_max_value', "Invalid 'limit': it must be at most 100."],
  ['?limit=0', 'limit', 'integer_below_min_value', "Invalid 'limit': it must be at least 1."],
  [
    '?limit=x',
    'limit',
    'invalid_type',
    "Invalid type for 'limit': use an integer instead of a string.",
  ],
  ['?order=up', 'order', 'invalid_value', "Invalid value 'up' for 'order': use 'asc', 'desc'."],
  ['?after=x', 'after', 'invalid_value', "Invalid 'after': no item of this response has this id."],
])('a page is rejected: %s', async (query, param, code, message) => {
  const { create, items } = clientOf('wrong-pages');
  const { id } = await create({});
  const { status, json } = await items(id, query);
  expect(json).toEqual({ error: { message, type: 'invalid_request_error', param, code } });
  expect(status).toBe(400);
});

test('a streamed response has numbered events, and is stored', async () => {
  const { base, get } = clientOf('streamed');
  const { text } = await send(`POST ${base}`, {
    headers,
    json: {
      model: 'practice-1-thinking',
      input: 'repeat: Hi',
      reasoning: { summary: 'auto' },
      stream: true,
    },
  });
  const blocks = text.trimEnd().split('\n\n');
  const events = blocks.map((block) => JSON.parse(block.split('\ndata: ')[1] ?? ''));
  expect(blocks.map((block) => /^event: (.+)\n/.exec(block)?.[1])).toEqual(
    events.map(({ type }) => type),
  );
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
  const types = events.map(({ type }) => type.replace('response.', ''));
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    ...['created', 'in_progress'],
    ...['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta'],
    ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
    ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.done'],
    ...['content_part.done', 'output_item.done', 'completed'],
  ]);
  const { response } = events.at(-1);
  expect((await get(response.id)).json).toEqual(response);
});

test('a cut response is incomplete', async () => {
  const { create } = clientOf('cut');
  const response = await create({ input: 'count to 100', max_output_tokens: 16 });
  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    completed_at: null,
    output: [{ status: 'incomplete' }],
    usage: { output_tokens: 16 },
  });
});
