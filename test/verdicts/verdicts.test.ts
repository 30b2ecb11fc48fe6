/** The verdicts of all judges: each judge observes a client, and a test in CI fails or passes. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Area } from '../../src/kit/area.js';
import { crossingMs } from '../../src/kit/verdict/exchange.js';
import { judgeToken } from '../../src/kit/verdict/judge.js';
import { areas } from '../../src/service.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Judged {
  readonly judge: string;
  readonly run?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly verdicts: readonly Record<string, unknown>[];
}

const read = async (sandbox: string, query = '') =>
  (await send(`GET /s/${sandbox}/api/sandbox/verdicts${query}`)).json.judges as Judged[];

const of = async (sandbox: string, judge: string) => (await read(sandbox, `?judge=${judge}`))[0];

const failing = (sandbox: string, query: string) =>
  send(`GET /s/${sandbox}/api/sandbox/verdicts?${query}`);

/** Two replicas see different connections, on which requests may have crossed unless they are far apart. */
async function inCertainOrder(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    await step();
    await sleep(crossingMs + 50);
  }
}

async function retryUnsafely(sandbox: string): Promise<void> {
  const rules = [{ sequence: [{ status: 503 }] }];
  await send(`PUT /s/${sandbox}/api/sandbox/faults`, { json: { rules } });
  const repeat = () => send(`POST /s/${sandbox}/api/Books`, { json: { title: 'Emma' } });
  await inCertainOrder(repeat, repeat);
}

/** Lets a client reach a rule of each judge, and returns the rule with its outcome. */
const reached: Readonly<
  Record<string, (sandbox: string) => Promise<readonly [rule: string, outcome: string]>>
> = {
  async retries(sandbox) {
    await retryUnsafely(sandbox);
    return ['safe-repetition', 'broken'];
  },
  async cache(sandbox) {
    const path = `GET /s/${sandbox}/api/http/cache/page?maxAge=60`;
    await inCertainOrder(
      () => send(path),
      () => send(path),
    );
    return ['reuse-fresh', 'against-advice'];
  },
  async 'cookie-jar'(sandbox) {
    const started = await send(`POST /s/${sandbox}/api/http/cookies/jar`);
    for (const step of started.json.steps) {
      const headers = { cookie: 'plain=1; foreign=1' };
      await send(`GET ${step.slice(service.url.length)}`, { headers });
    }
    return ['foreign', 'broken'];
  },
  async resumable(sandbox) {
    await send(`POST /s/${sandbox}/api/http/resumable`, { body: 'a' });
    return ['interop-version', 'unclear'];
  },
  async signatures(sandbox) {
    const headers = { signature: 'sig=:AAAA:', 'signature-input': 'sig=("@method");keyid="none"' };
    await send(`GET /s/${sandbox}/api/auth/signature`, { headers });
    return ['signature', 'broken'];
  },
  async oidc(sandbox) {
    const { json } = await send(`POST /s/${sandbox}/oidc/test-plan/runs`);
    const rule = 'discovery-other-issuer';
    const { issuer } = json.find(({ name }: { name: string }) => name === rule);
    await send(`GET ${issuer.slice(service.url.length)}/.well-known/openid-configuration`);
    return [rule, 'kept'];
  },
  async deliveries(sandbox) {
    const { json: bin } = await send(`POST /s/${sandbox}/api/webhooks/bins`);
    const headers = { 'stripe-signature': 'v1=00' };
    await send(`POST /s/${sandbox}/api/webhooks/${bin.id}`, { headers, body: '{}' });
    return ['signature-header', 'broken'];
  },
  async 'bug-reports'(sandbox) {
    await send(`PUT /s/${sandbox}/api/sandbox/bugs`, { json: { level: 'none' } });
    const json = { method: 'GET', path: '/api/Books/1', expected: 404, actual: 200 };
    await send(`POST /s/${sandbox}/api/sandbox/bugs/reports`, { json });
    return ['reports-are-true', 'against-advice'];
  },
  async challenges(sandbox) {
    await send(`POST /s/${sandbox}/api/challenges/http-head/start`);
    await send(`HEAD /s/${sandbox}/api/Books/1`);
    return ['http-head', 'kept'];
  },
  async mcp(sandbox) {
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    await send(`POST /s/${sandbox}/mcp`, { json, headers: { accept: 'application/json' } });
    return ['accept-both-types', 'broken'];
  },
  async 'mcp-misbehaviours'(sandbox) {
    const started = await send(`POST /s/${sandbox}/mcp/test-plan/runs`);
    const run = String(started.headers.location).slice(service.url.length);
    const rule = 'unknown-id';
    const { url } = started.json.find(({ name }: { name: string }) => name === rule);
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'greet',
    };
    const params = {
      name: 'greet',
      arguments: { name: 'Ada' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const json = { jsonrpc: '2.0', id: 'c', method: 'tools/call', params };
    await send(`POST ${url.slice(service.url.length)}`, { headers, json });
    expect((await of(sandbox, 'mcp-misbehaviours'))?.verdicts).toMatchObject([
      { rule, outcome: 'kept', seen: 'The client did not accept it.' },
    ]);
    await send(`PUT ${run}/${rule}`, { json: { outcome: 'accepted' } });
    return [rule, 'broken'];
  },
  async llm(sandbox) {
    const headers = { authorization: 'Bearer sk-practice-openai' };
    const json = { model: 'practice-1', messages: [{ role: 'user', content: 'Hi' }] };
    await send(`POST /s/${sandbox}/llm/openai/v1/chat/completions`, { headers, json });
    return ['key-not-in-url', 'kept'];
  },
  async receivers(sandbox) {
    const subscription = await send(`POST /s/${sandbox}/api/webhooks/subscriptions`, {
      json: { events: ['*'], scheme: 'standard-webhooks' },
    });
    const { id } = subscription.json;
    await send(`POST /s/${sandbox}/api/webhooks/receiver-plan/runs`, {
      json: { subscription: id },
    });
    const path = `/s/${sandbox}/api/webhooks/subscriptions/${id}/deliveries`;
    const { json } = await send(`GET ${path}?wait=0`);
    const valid = json.deliveries.find((each: { case: string }) => each.case === 'valid');
    await send(`POST ${path}/${valid.id}/attempts`, {
      json: { status: 200, ms: 1, attemptId: valid.attemptId },
    });
    return ['valid', 'kept'];
  },
  async grpc(sandbox) {
    const headers = { 'connect-timeout-ms': '5000' };
    await send(`POST /s/${sandbox}/hello.HelloService/SayHello`, { headers, json: {} });
    return ['deadline-sent', 'kept'];
  },
  async 'payments-plan'(sandbox) {
    const { json } = await send(`POST /s/${sandbox}/payments/test-plan/runs`);
    const rule = 'requires-action';
    const step = json.find((each: { case: string }) => each.case === rule);
    const intents = `POST /s/${sandbox}/v1/payment_intents`;
    const headers = {
      authorization: 'Bearer sk_test_practice',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const body = `amount=900&currency=usd&payment_method_types[]=card&confirm=true&payment_method=${step.paymentMethod}&metadata[test_run]=${step.metadata.test_run}`;
    const { json: intent } = await send(intents, { headers, body });
    await send(`${intents}/${intent.id}/confirm`, { headers });
    return [rule, 'against-advice'];
  },
  async 'grpc-plan'(sandbox) {
    const { headers } = await send(`POST /s/${sandbox}/grpc/test-plan/runs`);
    const run = String(headers.location).slice(service.url.length);
    await send(`PUT ${run}/no-status`, { json: { outcome: 'mishandled' } });
    return ['no-status', 'against-advice'];
  },
  async http2(sandbox) {
    const { headers } = await send(`POST /s/${sandbox}/api/http2/plan/runs`, { json: {} });
    const run = String(headers.location).slice(service.url.length);
    await send(`PUT ${run}/settings-unknown`, { json: { outcome: 'mishandled' } });
    return ['settings-unknown', 'broken'];
  },
  async payments(sandbox) {
    const headers = {
      authorization: `Bearer sk_test_${sandbox}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    await send('POST /v1/payment_intents', { headers, body: 'amount=9.99&currency=usd' });
    return ['whole-amounts', 'against-advice'];
  },
  async 'llm-streams'(sandbox) {
    const { headers } = await send(`POST /s/${sandbox}/llm/test-plan/runs`);
    const run = String(headers.location).slice(service.url.length);
    await send(`PUT ${run}/reset-text`, { json: { outcome: 'mishandled' } });
    return ['reset-text', 'against-advice'];
  },
};

test('each judge of the list is tried', async () => {
  const { json } = await send('GET /verdicts');
  const names = json.map(({ name }: { name: string }) => name);
  expect(Object.keys(reached).sort()).toEqual([...names].sort());
  const all: readonly Area[] = areas;
  const offered = all.flatMap(({ offers = [] }) =>
    offers.filter(({ token }) => token === judgeToken),
  );
  expect(names).toHaveLength(offered.length);
});

test.each(Object.keys(reached))('%s shows what it has observed', async (judge) => {
  const sandbox = `sees-${judge}`;
  const [rule, outcome] = (await reached[judge]?.(sandbox)) ?? [];
  const judged = await of(sandbox, judge);
  expect(judged?.judge).toBe(judge);
  const verdict = judged?.verdicts.find((each) => each.rule === rule);
  expect(verdict, JSON.stringify(judged)).toMatchObject({ rule, outcome });
  const { json: plan } = await send('GET /verdicts');
  const { rules } = plan.find(({ name }: { name: string }) => name === judge);
  expect(rules.map((each: { rule: string }) => each.rule)).toContain(rule);
  const total = Object.values(judged?.counts ?? {}).reduce((sum, each) => sum + each, 0);
  expect(total).toBe(rules.length);
});

test('a delivery with another secret is unclear, and the right one is kept with its request', async () => {
  const { json: bin } = await send('POST /s/signed/api/webhooks/bins');
  const deliver = async (secret: Record<string, string>) => {
    const signed = await send('POST /api/webhooks/samples/github', {
      headers: secret,
      body: '{"a":1}',
    });
    const { headers } = signed.json;
    return send(`POST /s/signed/api/webhooks/${bin.id}`, { headers, body: '{"a":1}' });
  };
  const right = await deliver({});
  const verdicts = async () => (await of('signed', 'deliveries'))?.verdicts;
  const evidence = [right.headers['x-request-id']];
  expect(await verdicts()).toMatchObject([
    { rule: 'signature-header', outcome: 'kept', evidence },
    { rule: 'signature-verifies', outcome: 'kept', evidence },
  ]);
  await deliver({ 'x-signing-secret': 'another' });
  expect(await verdicts()).toMatchObject([
    { outcome: 'kept', evidence },
    { outcome: 'unclear', decidedBy: expect.stringContaining('the secret of') },
  ]);
});

test('a rule that is kept names the first request that kept it', async () => {
  const kept = async (judge: string) => {
    const judged = await of(`kept-${judge}`, judge);
    return judged?.verdicts.filter(({ outcome }) => outcome === 'kept') ?? [];
  };
  for (const judge of ['llm', 'mcp']) {
    await reached[judge]?.(`kept-${judge}`);
    await reached[judge]?.(`kept-${judge}`);
    const verdicts = await kept(judge);
    expect(verdicts).not.toHaveLength(0);
    for (const { id, evidence } of verdicts) expect(evidence, String(id)).toHaveLength(1);
  }
});

test('a test in CI fails if a rule is broken, and if nothing was observed', async () => {
  const idle = await failing('ci', 'fail=broken');
  expect(idle.status).toBe(409);
  expect(idle.json.message).toContain('Nothing was observed in this sandbox by any judge.');

  await reached.llm?.('ci');
  expect((await failing('ci', 'fail=broken')).status).toBe(200);
  await reached['llm-streams']?.('ci');
  expect((await failing('ci', 'fail=broken')).status).toBe(200);
  expect((await failing('ci', 'fail=against-advice')).json.message).toBe(
    'A rule was not kept: llm-streams-reset-text (against-advice).',
  );
  const unmet = await failing('ci', 'judge=llm,retries&fail=broken');
  expect(unmet.json.message).toContain('Nothing was observed in this sandbox by retries.');

  await reached.signatures?.('ci');
  const broken = await failing('ci', 'fail=broken');
  expect(broken.status).toBe(409);
  expect(broken.json.message).toBe('A rule was not kept: message-signature (broken).');
  expect(broken.json.judges).toEqual(await read('ci'));
  expect((await failing('ci', 'judge=llm&fail=broken')).status).toBe(200);
});

test('a verdict names its requests, which open if they were recorded', async () => {
  await send('PUT /s/evidence/api/sandbox/recording', { json: { on: true } });
  await retryUnsafely('evidence');
  const { evidence = [] } = ((await of('evidence', 'retries'))?.verdicts[0] ?? {}) as {
    evidence?: readonly string[];
  };
  expect(evidence).toHaveLength(2);
  const { requests } = (await send('GET /s/evidence/api/sandbox/requests')).json;
  const recorded = requests.map(({ requestId }: { requestId: string }) => requestId);
  expect(recorded).toEqual(expect.arrayContaining([...evidence]));
});

test('a judge forgets what it has observed, and the others remember', async () => {
  await retryUnsafely('cleared');
  await reached.signatures?.('cleared');
  const clear = (query: string) => send(`DELETE /s/cleared/api/sandbox/verdicts${query}`);
  const idle = async () =>
    (await read('cleared')).filter(({ verdicts }) => verdicts.length > 0).map(({ judge }) => judge);
  expect(await idle()).toEqual(['signatures', 'retries']);
  expect((await clear('?judge=signatures')).status).toBe(204);
  expect(await idle()).toEqual(['retries']);
  expect((await clear('')).status).toBe(204);
  expect(await idle()).toEqual([]);
});

test('a right client after a wrong one does not hide it', async () => {
  await reached.signatures?.('mixed');
  await send('GET /s/mixed/api/auth/signature');
  expect((await of('mixed', 'signatures'))?.verdicts).toMatchObject([{ outcome: 'broken' }]);
});

test('the shared sandbox has no verdicts, and an unknown judge is named', async () => {
  expect((await send('GET /api/sandbox/verdicts')).status).toBe(403);
  expect((await send('DELETE /api/sandbox/verdicts')).status).toBe(403);
  const { status, json } = await send('GET /s/none/api/sandbox/verdicts?judge=retry');
  expect(status).toBe(400);
  expect(json.message).toContain('judge must be one or more of ');
  expect((await send('GET /s/none/api/sandbox/verdicts?fail=kept')).status).toBe(400);
});

test('browsers get the page with every rule, and programs the list', async () => {
  const page = await send('GET /verdicts', { headers: html });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  const { json } = await send('GET /verdicts');
  for (const { name, rules } of json) {
    expect(page.text).toContain(`data-judge="${name}"`);
    for (const { rule } of rules) expect(page.text).toContain(`data-rule="${rule}"`);
  }
  const again = { ...html, 'if-none-match': String(page.headers.etag) };
  expect((await send('GET /verdicts', { headers: again })).status).toBe(304);
});
