/** The API of Ollama: its mistakes, lines, models that are loaded, and findings. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { user, weatherTool } from './llm.js';
import { rejected } from './ollama-rejected.js';

const { send } = useService();

const base = '/llm/ollama/api';
const model = 'practice-1';

const right = {
  chat: { model, messages: [user('Hi')], stream: false },
  generate: { model, prompt: 'Hi', stream: false },
  embed: { model: 'practice-embed', input: 'Hi' },
  show: { model },
};

const chat = (text: string, more: object = {}, sandbox = 'ollama') =>
  send(`POST /s/${sandbox}${base}/chat`, {
    json: { ...right.chat, messages: [user(text)], ...more },
  });

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const put = (sandbox: string, json: object) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });

describe('rejected:', () => {
  test('there are enough', () => {
    expect(new Set(rejected.map(({ message }) => message)).size).toBeGreaterThan(35);
  });

  test.each(rejected)('$path: $title', async ({ path, change, message, status = 400 }) => {
    const response = await send(`POST ${base}/${path}`, { json: { ...right[path], ...change } });
    expect(response.json).toEqual({ error: message });
    expect(response.status).toBe(status);
  });

  test.each([
    ['an empty body', '', 'The body is empty. Send a JSON object.'],
    ['a list', '[]', 'The body must be a JSON object.'],
    ['malformed JSON', '{"model": }', 'Invalid JSON at line 1, column 11: a value is expected.'],
  ])('%s', async (_what, body, error) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await send(`POST ${base}/chat`, { body, headers });
    expect(response).toMatchObject({ status: 400, json: { error } });
  });
});

test.each(['application/x-www-form-urlencoded', 'text/plain'])(
  'a body of %s is read as JSON, as curl sends it',
  async (type) => {
    const body = JSON.stringify({ ...right.chat, unknown_member: 1, options: { unknown: 1 } });
    const headers = { 'Content-Type': type };
    expect((await send(`POST ${base}/chat`, { body, headers })).status).toBe(200);
  },
);

test('a chat is a stream of lines, unless stream is false', async () => {
  const response = await chat('count to 3', { stream: undefined });
  expect(response.headers['content-type']).toBe('application/x-ndjson');
  const lines = linesOf(response.text);
  expect(lines.map(({ message }) => message.content).join('')).toBe('1, 2, 3');
  expect(lines.map(({ done }) => done)).toEqual([...lines.slice(1).map(() => false), true]);
  expect(lines.at(-1)).toMatchObject({ done_reason: 'stop', eval_count: 5 });
  const { json } = await chat('count to 3');
  expect(json).toMatchObject({ model, message: { role: 'assistant', content: '1, 2, 3' } });
});

test('options cut and stop, and a format is filled', async () => {
  const cut = await chat('count to 9', { options: { num_predict: 2 } });
  expect(cut.json).toMatchObject({ done_reason: 'length', eval_count: 2 });
  const stopped = await chat('count to 9', { options: { stop: [', 4'] } });
  expect(stopped.json.message.content).toBe('1, 2, 3');
  const { json } = await chat('Plan', { format: weatherTool.schema });
  expect(JSON.parse(json.message.content)).toEqual({ city: 'city', days: 1 });
  const object = await chat('repeat: Hi', { format: 'json' });
  expect(object.json.message.content).toBe('{"text":"Hi"}');
});

test('a seed fixes ids and times', async () => {
  const options = { seed: 7 };
  expect((await chat('Hi', { options })).text).toBe((await chat('Hi', { options })).text);
});

test('a call has its arguments as an object, and its result continues', async () => {
  const { name, description, schema } = weatherTool;
  const tools = [{ type: 'function', function: { name, description, parameters: schema } }];
  const { json } = await chat('How is the weather?', { tools });
  const [call] = json.message.tool_calls;
  expect(call.function).toEqual({ index: 0, name, arguments: { city: 'city', days: 1 } });
  const messages = [user('How is the weather?'), json.message];
  const result = { role: 'tool', tool_name: name, content: 'Rain' };
  const next = await chat('', { tools, messages: [...messages, result] });
  expect(next.json.message.content).toBe('The tool returned: Rain');
});

test('models are loaded for a time by the clock of the sandbox', async () => {
  const sandbox = 'ollama-loaded';
  const loaded = async () =>
    (await send(`GET /s/${sandbox}${base}/ps`)).json.models.map(
      (each: { name: string }) => each.name,
    );
  const load = (more: object) =>
    send(`POST /s/${sandbox}${base}/generate`, { json: { model, ...more } });
  expect((await load({})).json).toMatchObject({ response: '', done_reason: 'load' });
  expect(await loaded()).toEqual(['practice-1:latest']);
  const clock = { json: { offsetSeconds: 301 } };
  await send(`PUT /s/${sandbox}/api/sandbox/clock`, clock);
  expect(await loaded()).toEqual([]);
  await load({ keep_alive: -1 });
  await send(`PUT /s/${sandbox}/api/sandbox/clock`, { json: { offsetSeconds: 90_000 } });
  expect(await loaded()).toEqual(['practice-1:latest']);
  expect((await load({ keep_alive: 0 })).json.done_reason).toBe('unload');
  expect(await loaded()).toEqual([]);
  await load({ prompt: 'Hi', keep_alive: '1h30m' });
  expect(await loaded()).toEqual(['practice-1:latest']);
});

test('loading a model uses no turn of a script', async () => {
  await put('ollama-turns', { turns: [{ text: 'First.' }] });
  await chat('', { messages: [] }, 'ollama-turns');
  const { json } = await chat('Hi', {}, 'ollama-turns');
  expect(json.message.content).toBe('First.');
});

test('log probabilities of a chat', async () => {
  const { json } = await chat('count to 2', { logprobs: true, top_logprobs: 2 });
  expect(json.logprobs.map(({ token }: { token: string }) => token)).toEqual(['1', ',', ' 2']);
  expect(json.logprobs[0].top_logprobs).toHaveLength(2);
});

test('a limit is 429, with the time to wait', async () => {
  await put('ollama-limits', { limits: { requestsPerMinute: 1 } });
  await chat('Hi', {}, 'ollama-limits');
  const { status, json, headers } = await chat('Hi', {}, 'ollama-limits');
  expect(status).toBe(429);
  expect(json.error).toMatch(/^More than 1 requests per minute\. Wait \d+ s\.$/);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

test('a prompt that is too long is cut, unless truncate is false', async () => {
  const small = { model: 'practice-1-small' };
  const long = 'word '.repeat(3000);
  expect((await chat(long, small)).json.prompt_eval_count).toBe(1000);
  expect((await chat(long, { ...small, truncate: false })).status).toBe(400);
});

test('tags, show and version', async () => {
  const { json } = await send(`GET ${base}/tags`);
  expect(json.models.map(({ name }: { name: string }) => name)).toEqual([
    ...['practice-1:latest', 'practice-1-thinking:latest', 'practice-1-small:latest'],
    'practice-embed:latest',
  ]);
  const shown = await send(`POST ${base}/show`, { json: { name: 'practice-1:latest' } });
  expect(shown.json.model_info['practice.context_length']).toBe(128_000);
  expect((await send(`GET ${base}/version`)).json.version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('an error inside the lines has the form of the provider', async () => {
  const target = `POST ${base}/chat?misbehave=error-event&at=text`;
  const { text } = await send(target, { json: { ...right.chat, stream: true } });
  expect(linesOf(text).at(-1)).toEqual({ error: 'Simulated failure inside the stream.' });
});
