/** Requests and tokens per minute, the headers about them, and errors that clients wait for. */

import { expect, test } from 'vitest';
import { afterCrossing } from '../support/create-service.js';
import { useService } from '../support/service.js';
import { ask, type KindName, kinds, quotaKey } from './llm.js';

const service = useService();
const { send } = service;

const put = (sandbox: string, json: unknown) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });
const advance = (sandbox: string, offsetSeconds: number) =>
  send(`PUT /s/${sandbox}/api/sandbox/clock`, { json: { offsetSeconds } });

/** Returns the limits in the headers of a provider. */
function limitsIn(kind: KindName, headers: Readonly<Record<string, unknown>>) {
  const read = (name: string) => Number(headers[name]);
  return kind === 'messages'
    ? {
        limit: read('anthropic-ratelimit-requests-limit'),
        requests: read('anthropic-ratelimit-requests-remaining'),
        tokens: read('anthropic-ratelimit-tokens-remaining'),
      }
    : {
        limit: read('x-ratelimit-limit-requests'),
        requests: read('x-ratelimit-remaining-requests'),
        tokens: read('x-ratelimit-remaining-tokens'),
      };
}

test.each(['chat', 'messages'] as const)(
  '%s: the headers say what is left, and a client that waits succeeds',
  async (kind) => {
    const sandbox = `minute-${kind}`;
    await put(sandbox, { limits: { requestsPerMinute: 3, tokensPerMinute: 1000 } });
    const sent = kinds[kind].body('repeat: one two');
    const { json, headers } = await ask(service, kind, sent, { sandbox });
    const { usage } = json;
    const used =
      (usage.prompt_tokens ?? usage.input_tokens) +
      (usage.completion_tokens ?? usage.output_tokens);
    expect(limitsIn(kind, headers)).toEqual({ limit: 3, requests: 2, tokens: 1000 - used });
    // A rejected request counts, too.
    const rejected = await ask(service, kind, { ...sent, model: 'other' }, { sandbox });
    expect(rejected.status).toBe(404);
    await ask(service, kind, sent, { sandbox });
    const limited = await ask(service, kind, sent, { sandbox });
    expect(limited.status).toBe(429);
    expect(limitsIn(kind, limited.headers).requests).toBe(0);
    const seconds = Number(limited.headers['retry-after']);
    expect(seconds).toBeGreaterThan(50);
    expect(limited.json.error).toMatchObject(
      kind === 'chat'
        ? { type: 'requests', code: 'rate_limit_exceeded', param: null }
        : { type: 'rate_limit_error' },
    );
    await advance(sandbox, seconds);
    expect((await ask(service, kind, sent, { sandbox })).status).toBe(200);
  },
);

test('a client that does not wait is found', async () => {
  const sandbox = 'hasty';
  await put(sandbox, { limits: { requestsPerMinute: 1 } });
  const sent = kinds.chat.body('Hello');
  for (let time = 0; time < 3; time++) {
    await afterCrossing();
    await ask(service, 'chat', sent, { sandbox });
  }
  const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  expect(json.findings.map(({ rule }: { rule: string }) => rule)).toEqual(['waits-as-told']);
});

test('a client that waits keeps the rule', async () => {
  const sandbox = 'patient';
  await put(sandbox, { limits: { requestsPerMinute: 1 } });
  const sent = kinds.chat.body('Hello');
  for (let time = 0; time < 2; time++) await ask(service, 'chat', sent, { sandbox });
  await advance(sandbox, 61);
  await ask(service, 'chat', sent, { sandbox });
  const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  expect(json.findings).toEqual([]);
  expect(json.rules).toContainEqual({ rule: 'waits-as-told', level: 'must', outcome: 'kept' });
});

test('tokens are limited, and a request that exceeds them uses none', async () => {
  const sandbox = 'tokens';
  await put(sandbox, { limits: { tokensPerMinute: 40 } });
  const small = kinds.chat.body('repeat: a');
  const before = limitsIn('chat', (await ask(service, 'chat', small, { sandbox })).headers);
  const large = await ask(service, 'chat', kinds.chat.body('x '.repeat(50)), { sandbox });
  expect(large.json.error).toMatchObject({ type: 'tokens', code: 'rate_limit_exceeded' });
  expect(limitsIn('chat', large.headers).tokens).toBe(before.tokens);
  expect((await ask(service, 'chat', small, { sandbox })).status).toBe(200);
});

test.each([
  ['chat', 429, { type: 'insufficient_quota', code: 'insufficient_quota', param: null }],
  ['messages', 402, { type: 'billing_error' }],
] as const)('%s: the quota key never succeeds', async (kind, status, error) => {
  const sent = kinds[kind].body('Hello');
  for (let time = 0; time < 2; time++) {
    const response = await ask(service, kind, sent, { key: quotaKey, sandbox: 'quota' });
    expect(response.status).toBe(status);
    expect(response.json.error).toMatchObject(error);
    expect(response.headers['x-should-retry']).toBe('false');
    await advance('quota', 3600);
  }
});

test.each([408, 409, 500, 503, 529])('a turn can fail with %d', async (status) => {
  for (const kind of ['chat', 'messages'] as const) {
    const sandbox = `fails-${status}-${kind}`;
    const fault = { status, retryAfterMs: 20, shouldRetry: status !== 409 };
    await put(sandbox, { turns: [{ fault }] });
    const response = await ask(service, kind, kinds[kind].body('Hello'), { sandbox });
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      'retry-after-ms': '20',
      'x-should-retry': String(status !== 409),
      'x-simulated': 'true',
    });
  }
});
