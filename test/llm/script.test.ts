/** The script of a sandbox: the next completions, limits, and a misbehaviour. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import {
  ask,
  askAt,
  eventsOf,
  headersOf,
  kindNames,
  kinds,
  streamBody,
  streamTarget,
  textOf,
  toolsOf,
} from './llm.js';
import { type TalkName, talks, textOf as textIn } from './support/talk.js';

const service = useService();
const { send } = service;

const put = (sandbox: string, json: unknown) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });
const get = (sandbox: string) => send(`GET /s/${sandbox}/api/sandbox/llm`);

test.each(kindNames)('%s: each accepted request uses one turn', async (kind) => {
  const sandbox = `turns-${kind}`;
  const turns = [
    { text: 'First.', usage: { inputTokens: 7, outputTokens: 3 } },
    { toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] },
    { fault: { status: 529, code: 'overloaded', retryAfter: 2, shouldRetry: true } },
    { refusal: 'No.' },
  ];
  expect((await put(sandbox, { turns })).json).toMatchObject({ turns, used: 0, cancelled: 0 });
  const { body, tools } = kinds[kind];
  const sent = body('Hello', { tools });

  const first = await ask(service, kind, sent, { sandbox });
  expect(textOf(kind, first)).toBe('First.');
  expect(Object.values(first.json.usage)).toEqual(expect.arrayContaining([7, 3]));
  const rejected = await ask(service, kind, { ...sent, model: 'other' }, { sandbox });
  expect(rejected.status).toBe(404);
  expect((await get(sandbox)).json.used).toBe(1);
  expect((await ask(service, kind, sent, { sandbox })).text).toContain('Oslo');
  const fault = await ask(service, kind, sent, { sandbox });
  expect(fault.status).toBe(529);
  expect(fault.headers).toMatchObject({ 'retry-after': '2', 'x-should-retry': 'true' });
  expect((await ask(service, kind, sent, { sandbox })).text).toContain('No.');
  expect((await get(sandbox)).json).toMatchObject({ turns: [], used: 4 });
  expect(textOf(kind, await ask(service, kind, body('Hello'), { sandbox }))).toBe(
    'You wrote: Hello',
  );
});

const newer = Object.keys(talks) as TalkName[];

/** A request with a wrong type, by a member that both have. */
const wrong = { tools: 'none' };

test.each(
  newer.flatMap((kind) => [
    { kind, isStream: false },
    { kind, isStream: true },
  ]),
)('$kind, stream $isStream: each accepted request uses one turn', async ({ kind, isStream }) => {
  const sandbox = `turns-${kind}-${isStream}`;
  const turns = [
    { text: 'First.', thinking: 'Hm.', usage: { inputTokens: 7, outputTokens: 3 } },
    { toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] },
    { fault: { status: 503, message: 'Busy.', retryAfter: 2 } },
    { text: 'Half', stopReason: 'length' },
    { refusal: 'No.' },
  ];
  await put(sandbox, { turns });
  const next = (extra: object = { tools: toolsOf(kind) }) =>
    askAt(service, kind, { text: 'Hello', isStream, extra }, { sandbox });
  const lastOf = (response: Awaited<ReturnType<typeof next>>) => talks[kind].parts(response).at(-1);

  const first = await next();
  expect(textIn(kind, first)).toBe('First.');
  const counts =
    kind === 'gemini'
      ? { usageMetadata: { promptTokenCount: 7 } }
      : { prompt_eval_count: 7, eval_count: 3 };
  expect(lastOf(first)).toMatchObject(counts);
  expect((await next(wrong)).status).toBe(400);
  expect((await get(sandbox)).json.used).toBe(1);

  const args = { city: 'Oslo' };
  expect((await next()).text).toContain(JSON.stringify(args));
  const fault = await next();
  expect(fault).toMatchObject({ status: 503, headers: { 'x-simulated': 'true' } });
  expect(fault.json).toEqual(
    kind === 'gemini'
      ? { error: { code: 503, message: 'Busy.', status: 'UNAVAILABLE' } }
      : { error: 'Busy.' },
  );
  const reason =
    kind === 'gemini'
      ? { candidates: [{ finishReason: 'MAX_TOKENS' }] }
      : { done_reason: 'length' };
  expect(lastOf(await next())).toMatchObject(reason);
  // Ollama has no refusals but texts; at Gemini, one blocks the prompt.
  const rejection = await next();
  if (kind === 'ollama') expect(textIn(kind, rejection)).toBe('No.');
  else expect(lastOf(rejection)).toMatchObject({ promptFeedback: { blockReason: 'SAFETY' } });
  expect((await get(sandbox)).json).toMatchObject({ turns: [], used: 5 });
  expect(textIn(kind, await next({}))).toBe('You wrote: Hello');
});

test('ollama: the maximum of tokens cuts a refusal', async () => {
  const sandbox = 'refusal-ollama';
  await put(sandbox, { turns: [{ refusal: 'no '.repeat(40) }] });
  const extra = { options: { num_predict: 16 } };
  const { json } = await askAt(service, 'ollama', { text: 'Hi', extra }, { sandbox });
  expect(json).toMatchObject({ done_reason: 'length', eval_count: 16 });
  expect(json.message.content.trim().split(' ')).toHaveLength(16);
});

test.each(newer)('%s: a script misbehaves in every stream, and is ended', async (kind) => {
  const sandbox = `misbehaving-${kind}`;
  await put(sandbox, { misbehave: { name: 'error-event', at: 'text' } });
  const stream = { text: 'count to 9', isStream: true };
  for (let time = 0; time < 2; time++) {
    const response = await askAt(service, kind, stream, { sandbox });
    expect(response.headers['x-simulated']).toBe('true');
    expect(talks[kind].parts(response).at(-1)).toHaveProperty('error');
  }
  await send(`DELETE /s/${sandbox}/api/sandbox/llm`);
  const whole = await askAt(service, kind, stream, { sandbox });
  expect(textIn(kind, whole)).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9');
});

test.each(kindNames)('%s: the maximum of tokens cuts a refusal', async (kind) => {
  const sandbox = `refusal-${kind}`;
  const refusal = Array.from({ length: 40 }, () => 'no').join(' ');
  await put(sandbox, { turns: [{ refusal }] });
  const limits = { chat: 'max_completion_tokens', responses: 'max_output_tokens' };
  const limit = kind === 'messages' ? 'max_tokens' : limits[kind];
  const response = await ask(service, kind, kinds[kind].body('Hi', { [limit]: 16 }), { sandbox });
  const { usage } = response.json;
  expect(usage.output_tokens ?? usage.completion_tokens).toBe(16);
  const reasons = { chat: 'length', responses: 'max_output_tokens', messages: 'max_tokens' };
  expect(response.text).toContain(`"${reasons[kind]}"`);
  expect(response.text).toContain(`"${Array.from({ length: 16 }, () => 'no').join(' ')}"`);
});

test('DELETE ends a script', async () => {
  await put('ended', { turns: [{ text: 'Never.' }], misbehave: 'html' });
  expect((await send('DELETE /s/ended/api/sandbox/llm')).status).toBe(204);
  const { json } = await ask(service, 'chat', kinds.chat.body('Hi'), { sandbox: 'ended' });
  expect(json.choices[0].message.content).toBe('You wrote: Hi');
});

test.each([
  [{ turn: [] }, 'turn'],
  [{ turns: [{ txt: 'a' }] }, 'turns.0.txt'],
  [{ turns: [{ toolCalls: [{ name: 'f' }] }] }, 'turns.0.toolCalls.0.arguments'],
  [{ turns: [{ fault: { status: 200 } }] }, 'turns.0.fault.status'],
  [{ turns: [{ stopReason: 'tired' }] }, 'turns.0.stopReason'],
  [{ limits: { requestsPerMinute: 0 } }, 'limits.requestsPerMinute'],
  [{ turns: Array.from({ length: 101 }, () => ({})) }, 'turns'],
  [{ misbehave: 'sleep' }, 'misbehave'],
  [{ misbehave: { name: 'reset', at: 'never' } }, 'misbehave'],
])('%j is rejected', async (json, named) => {
  const { status, json: error } = await put('rejected', json);
  expect(status).toBe(400);
  expect(error.message).toContain(named.split('.').at(-1));
  expect((await get('rejected')).json.used).toBe(0);
});

test('the shared sandbox has no script', async () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { status } = await send(`${method} /api/sandbox/llm`, {
      ...(method === 'PUT' && { json: { turns: [] } }),
    });
    expect(status).toBe(403);
  }
});

test('the misbehaviour of a script applies to every stream', async () => {
  await put('misbehaving', { misbehave: { name: 'error-event', at: 'text' } });
  const sent = kinds.chat.body('count to 9', { stream: true });
  for (let time = 0; time < 2; time++) {
    const response = await ask(service, 'chat', sent, { sandbox: 'misbehaving' });
    expect(response.headers['x-simulated']).toBe('true');
    expect(eventsOf(response).at(-1).error.type).toBe('server_error');
  }
});

test.each(['chat', ...newer] as const)('%s: a closed stream is cancelled', async (kind) => {
  const sandbox = `cancelled-${kind}`;
  await put(sandbox, { turns: [{ text: 'a b c d e f', pace: { chunkMs: 5000 } }] });
  const controller = new AbortController();
  const response = await fetch(`${service.url}/s/${sandbox}${streamTarget(kind, true)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(kind, {}) },
    body: JSON.stringify(streamBody(kind, 'Go', true)),
    signal: controller.signal,
  });
  await response.body?.getReader().read();
  controller.abort();
  await expect.poll(async () => (await get(sandbox)).json.cancelled).toBe(1);
});
