/** Limits of stored responses, conversations, references and embeddings. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();
const small = useService({ sandboxBytes: 1024 * 1024 });
const clock = { aheadMs: 0 };
const moved = useService({ now: () => Date.now() + clock.aheadMs });

const headers = { Authorization: 'Bearer sk-practice-openai' };
const kibibyte = 1024;

function clientOf(sandbox: string, sendTo = send) {
  const base = `${sandbox === '' ? '' : `/s/${sandbox}`}/llm/openai/v1`;
  const post = (path: string, json: object) => sendTo(`POST ${base}${path}`, { headers, json });
  const ask = (change: object) =>
    post('/responses', { model: 'practice-1', input: 'repeat: Hello', ...change });
  return {
    post,
    ask,
    async create(change: object) {
      const response = await ask(change);
      expect(response.status).toBe(200);
      return response.json;
    },
    read: (id: string, method = 'GET', rest = '') =>
      sendTo(`${method} ${base}/responses/${id}${rest}`, { headers }),
    moveClock: (offsetSeconds: number) =>
      sendTo(`PUT /s/${sandbox}/api/sandbox/clock`, { json: { offsetSeconds } }),
  };
}

const longInput = (kibibytes: number) =>
  ['x'.repeat(kibibytes * kibibyte), 'repeat: Hello'].map((content) => ({ role: 'user', content }));
const isFound = ({ status }: { readonly status: number }) => status === 200;

test.each([
  ['the shared sandbox', '', 6, 16],
  ['a sandbox', 'sizes', 120, 250],
])('%s stores no large responses', async (_what, sandbox, least, most) => {
  const { create, read } = clientOf(sandbox);
  const change = { truncation: 'auto' };
  const { id: kept } = await create({ ...change, input: longInput(least) });
  const { id: lost } = await create({ ...change, input: longInput(most) });
  expect(isFound(await read(kept))).toBe(true);
  expect((await read(lost)).status).toBe(404);
});

test('a sandbox keeps a response for a day', async () => {
  const { create, read, moveClock } = clientOf('day');
  const { id } = await create({});
  await moveClock(24 * 60 * 60 - 60);
  expect(isFound(await read(id))).toBe(true);
  await moveClock(24 * 60 * 60 + 60);
  expect((await read(id)).status).toBe(404);
});

test('the shared sandbox keeps a response for ten minutes', async () => {
  const { create, read } = clientOf('', moved.send);
  const { id } = await create({});
  clock.aheadMs = 9 * 60 * 1000;
  expect(isFound(await read(id))).toBe(true);
  clock.aheadMs = 11 * 60 * 1000;
  expect((await read(id)).status).toBe(404);
});

test.each([false, true])('a response without room is sent (stream: %s)', async (stream) => {
  const { ask, read } = clientOf(`full-${stream}`, small.send);
  const found: boolean[] = [];
  for (let times = 0; times < 8; times++) {
    const { status, text } = await ask({ input: longInput(100), truncation: 'auto', stream });
    expect(status).toBe(200);
    expect(text).toContain(stream ? 'event: response.completed' : '"status":"completed"');
    const [id = ''] = /resp_[A-Za-z0-9]+/.exec(text) ?? [];
    found.push(isFound(await read(id)));
  }
  expect(new Set(found)).toEqual(new Set([true, false]));
});

test('a conversation of more than 1 MiB of results is rejected', async () => {
  const { ask, create } = clientOf('chain-of-results');
  const tools = [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }];
  let previous: string | undefined;
  const statuses: number[] = [];
  for (let times = 0; times < 12; times++) {
    const call = { call_id: `call_${times}`, name: 'f', arguments: '{}' };
    const output = 'x'.repeat(100 * kibibyte);
    const input = [
      { type: 'function_call', ...call },
      { type: 'function_call_output', call_id: call.call_id, output },
      { role: 'user', content: 'repeat: Hello' },
    ];
    const change = { input, tools, truncation: 'auto', tool_choice: 'none' };
    const response = await ask({ ...change, previous_response_id: previous });
    statuses.push(response.status);
    if (response.status !== 200) {
      expect(response.json.error).toEqual({
        message: 'Use at most 1048576 characters in a conversation. Start a new one.',
        type: 'invalid_request_error',
        param: 'previous_response_id',
        code: 'context_length_exceeded',
      });
      break;
    }
    previous = response.json.id;
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 400]);
  await create({});
});

test('an id that a caller chose is no reference', async () => {
  const { ask, create } = clientOf('chosen-ids');
  const chosen = `msg_${'a'.repeat(48)}i0`;
  const item = { type: 'message', role: 'user', content: 'secret' };
  const { id, output } = await create({ input: [{ ...item, id: 'msg_1' }] });
  const own = `msg_${id.slice('resp_'.length)}i0`;
  await create({ input: [{ ...item, id: chosen }] });
  for (const reference of ['msg_1', chosen, own, `${output[0].id}9`]) {
    const input = [{ type: 'item_reference', id: reference }];
    expect(await ask({ input })).toMatchObject({
      status: 404,
      json: {
        error: {
          message: `Item with id '${reference}' not found; was 'store' false?`,
          param: 'input',
          code: null,
        },
      },
    });
  }
});

test('ids that the service made are references, for input and output', async () => {
  const { create, read } = clientOf('made-ids');
  const first = await create({ input: 'repeat: Blue' });
  const { data } = (await read(first.id, 'GET', '/input_items')).json;
  const references = [data[0].id, first.output[0].id].map((id) => ({ type: 'item_reference', id }));
  const second = await create({ input: [...references, { role: 'user', content: 'Hi' }] });
  const listed = (await read(second.id, 'GET', '/input_items?order=asc')).json.data;
  expect(listed.slice(0, 2)).toEqual([data[0], first.output[0]]);
  const third = await create({ input: [{ type: 'item_reference', id: data[0].id }] });
  expect(third.output[0].content[0].text).toBe('Blue');
});

test('many references to a long item are rejected', async () => {
  const { ask, create, read } = clientOf('many-references');
  const { id } = await create({ input: longInput(100), truncation: 'auto' });
  const { data } = (await read(id, 'GET', '/input_items?order=asc')).json;
  const input = Array.from({ length: 2000 }, () => ({ type: 'item_reference', id: data[0].id }));
  const { status, json } = await ask({ input, truncation: 'auto' });
  expect(json.error).toMatchObject({ param: 'input[10].id', code: 'context_length_exceeded' });
  expect(status).toBe(400);
});

test('reads after a cancellation are counted, without HEAD and at once', async () => {
  const { create, read } = clientOf('late-reads');
  const findings = async () =>
    (await send('GET /s/late-reads/api/sandbox/llm/findings')).text.split('stops-after-cancel')
      .length - 1;
  const { id } = await create({ background: true });
  await read(id, 'POST', '/cancel');
  for (let times = 0; times < 5; times++) expect((await read(id, 'HEAD')).status).toBe(200);
  const kept = await findings();
  await Promise.all([1, 2, 3].map(() => read(id)));
  expect(await findings()).toBe(kept);
  await read(id, 'GET');
  const { text } = await send('GET /s/late-reads/api/sandbox/llm/findings');
  expect(text).toContain(`GET /llm/openai/v1/responses/${id}"`);
});

test.each([1, 2])('the schemas of %s tools have at most 2,000 parts', async (count) => {
  const { post } = clientOf('parts');
  const toolsOf = (properties: number) =>
    Array.from({ length: count }, (_none, index) => {
      const names = Array.from({ length: properties / count }, (_each, place) => `p${place}`);
      const given = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
      return { name: `f${index}`, schema: { type: 'object', properties: given } };
    });
  const openai = (properties: number) => {
    const tools = toolsOf(properties).map(({ name, schema: parameters }) => ({
      type: 'function',
      name,
      parameters,
    }));
    return post('/responses', { model: 'practice-1', input: 'Hello', tools });
  };
  const anthropic = (properties: number) =>
    send('POST /s/parts/llm/anthropic/v1/messages', {
      headers: { 'X-Api-Key': 'sk-practice-anthropic', 'Anthropic-Version': '2023-06-01' },
      json: {
        model: 'practice-1',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello' }],
        tools: toolsOf(properties).map(({ name, schema }) => ({ name, input_schema: schema })),
      },
    });
  for (const ask of [openai, anthropic]) {
    expect((await ask(900)).status).toBe(200);
    const { status, text } = await ask(1000);
    expect(text).toContain('more than 2000 parts');
    expect(status).toBe(400);
  }
});

test('embeddings have at most 65,536 numbers', async () => {
  const { post } = clientOf('embeddings');
  const embed = (inputs: number) =>
    post('/embeddings', {
      model: 'practice-embed',
      input: Array.from({ length: inputs }, () => 'a'),
      encoding_format: 'base64',
    });
  expect((await embed(256)).status).toBe(200);
  const { status, json } = await embed(257);
  expect(json.error.message).toBe(
    'Use at most 65536 numbers (inputs × dimensions); you requested 65792.',
  );
  expect(status).toBe(400);
});
