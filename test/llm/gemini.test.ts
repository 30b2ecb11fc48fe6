/** The API of Gemini: its mistakes, streams, keys, limits, safety and findings. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { rejected } from './gemini-rejected.js';
import { eventsOf, geminiKey, quotaKey, weatherTool } from './llm.js';

const { send } = useService();

const base = '/llm/gemini/v1beta';
const model = `${base}/models/practice-1`;
const headers = { 'x-goog-api-key': geminiKey };

const userText = (text: string) => ({ role: 'user', parts: [{ text }] });
const ofModel = (...parts: readonly object[]) => ({ role: 'model', parts });
const asking = (text: string, more: object = {}) => ({ contents: [userText(text)], ...more });

const generate = (json: object, sandbox = 'gemini', own = model) =>
  send(`POST /s/${sandbox}${own}:generateContent`, { json, headers });

const textIn = (json: { candidates: { content: { parts: { text?: string }[] } }[] }) =>
  json.candidates[0]?.content.parts.map(({ text = '' }) => text).join('');

const put = (sandbox: string, json: object) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });

const findings = async (sandbox: string) => {
  const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  return json.findings.map(({ rule }: { rule: string }) => rule);
};

describe('rejected:', () => {
  test('there are enough', () => {
    expect(new Set(rejected.map(({ message }) => message)).size).toBeGreaterThan(60);
  });

  test.each(rejected)('$title', async ({ change, message, field, status = 400 }) => {
    const response = await generate(asking('Hi', change));
    const type = 'type.googleapis.com/google.rpc.BadRequest';
    const details = [{ '@type': type, fieldViolations: [{ field, description: message }] }];
    expect(response.json).toEqual({
      error: {
        ...{ code: status, message },
        status: status === 403 ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENT',
        ...(field !== undefined && { details }),
      },
    });
    expect(response.status).toBe(status);
  });

  test('an unknown model, and a model without the method', async () => {
    const unknown = await generate(asking('Hi'), 'gemini', `${base}/models/gemini-2.5-flash`);
    expect(unknown.json.error).toEqual({
      ...{ code: 404, status: 'NOT_FOUND' },
      message: "The model 'models/gemini-2.5-flash' is unknown. GET /models lists the models.",
    });
    const { json } = await generate(asking('Hi'), 'gemini', `${base}/models/practice-embed`);
    expect(json.error.message).toContain('does not support generateContent');
  });

  test('a missing signature of a call, if the model thinks', async () => {
    const contents = [
      userText('Call a.'),
      ofModel({ functionCall: { name: 'a' } }),
      { role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] },
    ];
    const thinking = `${base}/models/practice-1-thinking`;
    const { json } = await generate({ contents }, 'unsigned', thinking);
    expect(json.error.message).toBe(
      'contents[1].parts[0].thought_signature is missing; send the part as received.',
    );
    expect(await findings('unsigned')).toEqual(['thinking-unaltered']);
    const thoughtSignature = 'skip_thought_signature_validator';
    const skipping = contents.with(1, ofModel({ functionCall: { name: 'a' }, thoughtSignature }));
    expect((await generate({ contents: skipping }, 'unsigned', thinking)).status).toBe(200);
  });

  test('malformed JSON, with its position', async () => {
    const { status, json } = await send(`POST ${model}:generateContent`, {
      body: '{\n "contents": [}',
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    expect(status).toBe(400);
    expect(json.error.message).toBe('Invalid JSON at line 2, column 15: a value is expected.');
  });
});

describe('keys', () => {
  const target = `GET ${base}/models`;
  test('without one, and with a token of OAuth', async () => {
    const { json } = await send(target);
    const message = `Send the key ${geminiKey} in x-goog-api-key.`;
    expect(json).toEqual({ error: { code: 403, message, status: 'PERMISSION_DENIED' } });
    const token = await send(target, { headers: { authorization: 'Bearer ya29.a' } });
    expect(token.json.error).toEqual({ code: 401, message, status: 'UNAUTHENTICATED' });
  });

  test('a wrong one', async () => {
    const { status, json } = await send(target, { headers: { 'x-goog-api-key': 'AIza' } });
    expect(status).toBe(400);
    expect(json.error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        ...{ reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
        metadata: { service: 'generativelanguage.googleapis.com' },
      },
    ]);
  });

  test('one in the URL works, and is a finding', async () => {
    const path = `/s/key-in-url${model}:generateContent?key=${geminiKey}`;
    expect((await send(`POST ${path}`, { json: asking('Hi') })).status).toBe(200);
    expect(await findings('key-in-url')).toEqual(['key-not-in-url']);
    await generate(asking('Hi'), 'key-in-header');
    expect(await findings('key-in-header')).toEqual([]);
  });

  test('a key without quota', async () => {
    const { status, json } = await send(`POST ${model}:generateContent`, {
      ...{ json: asking('Hi'), headers: { 'x-goog-api-key': quotaKey } },
    });
    expect(status).toBe(429);
    expect(json.error).toMatchObject({ status: 'RESOURCE_EXHAUSTED' });
    expect(JSON.stringify(json)).not.toContain('retryDelay');
  });
});

test('a limit says in the body how long to wait', async () => {
  await put('gemini-limits', { limits: { requestsPerMinute: 1 } });
  await generate(asking('Hi'), 'gemini-limits');
  const { status, json, headers: sent } = await generate(asking('Hi'), 'gemini-limits');
  expect(status).toBe(429);
  expect(json.error.details.at(-1)).toEqual({
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: expect.stringMatching(/^(?:60|5\d)s$/),
  });
  expect(sent['retry-after']).toBeUndefined();
});

describe('streams', () => {
  const stream = `POST ${model}:streamGenerateContent`;

  test('as server-sent events', async () => {
    const response = await send(`${stream}?alt=sse`, { json: asking('count to 3'), headers });
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const events = eventsOf(response);
    expect(events.map(textIn).join('')).toBe('1, 2, 3');
    expect(events.at(-1).candidates[0].finishReason).toBe('STOP');
    expect(new Set(events.map(({ responseId }) => responseId)).size).toBe(1);
  });

  test('as an array that grows', async () => {
    const response = await send(stream, { json: asking('count to 3'), headers });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json.map(textIn).join('')).toBe('1, 2, 3');
    expect(response.text).toMatch(/^\[\{.*\},\r\n\{/);
  });

  test('an error has the form of the stream', async () => {
    const wrong = { json: asking('Hi', { model: 'b' }), headers };
    expect((await send(stream, wrong)).json[0].error.code).toBe(400);
    expect((await send(`${stream}?alt=sse`, wrong)).json.error.code).toBe(400);
    expect((await send(stream, { json: {} })).json[0].error.code).toBe(403);
  });

  test('a broken array has no end', async () => {
    const query = '?misbehave=close&at=text';
    const response = await send(stream + query, { json: asking('count to 9'), headers });
    expect(response.headers['x-simulated']).toBe('true');
    expect(response.text.startsWith('[{')).toBe(true);
    expect(response.text.endsWith(']')).toBe(false);
  });

  test('a form of server-sent events does not apply to an array', async () => {
    const query = '?misbehave=comments&at=start';
    const response = await send(stream + query, { json: asking('count to 9'), headers });
    expect(response.headers['x-simulated']).toBeUndefined();
    expect(response.json).toHaveLength(18);
  });

  test('candidates take turns', async () => {
    const json = asking('count to 3', { generationConfig: { candidateCount: 2 } });
    const response = await send(`${stream}?alt=sse`, { json, headers });
    const indexes = eventsOf(response).map(({ candidates }) => candidates[0].index);
    expect(indexes.slice(0, 6)).toEqual([0, 1, 0, 1, 0, 1]);
  });
});

test('a script blocks a prompt, or a response', async () => {
  const turns = [{ refusal: 'No.' }, { text: 'Half of', stopReason: 'SAFETY' }, { refusal: 'No.' }];
  await put('gemini-safety', { turns });
  const { json: blocked } = await generate(asking('Hi'), 'gemini-safety');
  expect(blocked.promptFeedback.blockReason).toBe('SAFETY');
  expect(blocked.candidates).toBeUndefined();
  const { json: cut } = await generate(asking('Hi'), 'gemini-safety');
  expect(cut.candidates[0]).toMatchObject({
    ...{ finishReason: 'SAFETY', content: { parts: [{ text: 'Half of' }] } },
    safetyRatings: [{ blocked: true }],
  });
  const target = `POST /s/gemini-safety${model}:streamGenerateContent?alt=sse`;
  const events = eventsOf(await send(target, { json: asking('Hi'), headers }));
  expect(events).toMatchObject([{ promptFeedback: { blockReason: 'SAFETY' } }]);
});

test('the configuration cuts, stops, fills a schema, and calls a function', async () => {
  const cut = await generate(asking('count to 9', { generationConfig: { maxOutputTokens: 2 } }));
  expect(cut.json.candidates[0]).toMatchObject({ finishReason: 'MAX_TOKENS', tokenCount: 2 });
  const stop = { generation_config: { stop_sequences: [', 4'], max_output_tokens: '99' } };
  expect(textIn((await generate(asking('count to 9', stop))).json)).toBe('1, 2, 3');
  const responseSchema = {
    type: 'OBJECT',
    properties: { city: { type: 'STRING' }, days: { type: 'INTEGER', nullable: true } },
    required: ['city'],
  };
  const format = { responseMimeType: 'application/json', responseSchema };
  const { json: filled } = await generate(asking('Plan', { generationConfig: format }));
  expect(JSON.parse(textIn(filled) ?? '')).toEqual({ city: 'city', days: 1 });
  const { name, description, schema } = weatherTool;
  const tools = [{ functionDeclarations: [{ name, description, parametersJsonSchema: schema }] }];
  const { json: called } = await generate(asking('How is the weather?', { tools }));
  expect(called.candidates[0].content.parts).toEqual([
    { functionCall: { name, args: { city: 'city', days: 1 }, id: expect.any(String) } },
  ]);
});

test('log probabilities are the same each time', async () => {
  const generationConfig = { responseLogprobs: true, logprobs: 2 };
  const [first, second] = await Promise.all(
    [1, 2].map(() => generate(asking('count to 3', { generationConfig }))),
  );
  const { avgLogprobs, logprobsResult } = first?.json.candidates[0] ?? {};
  expect(second?.json.candidates[0]).toMatchObject({ avgLogprobs, logprobsResult });
  expect(avgLogprobs).toBeLessThanOrEqual(0);
  expect(logprobsResult.chosenCandidates).toHaveLength(5);
  expect(logprobsResult.topCandidates[0].candidates).toHaveLength(2);
});

test('a seed fixes ids', async () => {
  const seeded = asking('Hi', { generationConfig: { seed: 7 } });
  const [first, second] = [await generate(seeded), await generate(seeded)];
  expect(first.text).toBe(second.text);
});

test.each([
  ['an image', { inlineData: { mimeType: 'image/png', data: 'aaaa' } }],
  ['a file', { file_data: { file_uri: 'https://example.com/a.png' } }],
])('%s is accepted, and not seen', async (_what, part) => {
  const contents = [{ parts: [{ text: 'repeat: Hello' }, part] }];
  expect(textIn((await generate({ contents })).json)).toBe('Hello');
});

test.each(['/v1beta/models/x:generateContent', '/api/chat'])(
  '%s has the form of its provider',
  async (path) => {
    const { status, json } = await send(`POST ${path}`, { json: {} });
    expect(status).toBe(404);
    expect(typeof json.error === 'string' ? json.error : json.error.message).toContain('llm');
  },
);
