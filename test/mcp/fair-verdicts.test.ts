/** Right clients that the judge and the runs must not call wrong. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { RuleClient } from './rule-client.js';

const service = useService();

interface Step {
  readonly name: string;
  readonly url: string;
  readonly outcome: string;
}

async function broken(client: RuleClient): Promise<readonly string[]> {
  const { json } = await client.send('GET /api/sandbox/mcp/findings');
  return json.findings.map(({ rule }: { rule: string }) => rule);
}

test('a new session is the right response to a session that is gone', async () => {
  const client = new RuleClient(service.url, 'fair-gone');
  const { headers, json } = await client.send('POST /mcp/test-plan/runs');
  const stepIn = (steps: readonly Step[]) => steps.find(({ name }) => name === 'session-gone');
  const path = client.below(stepIn(json)?.url ?? '');
  const session = async () => String((await client.initialize({}, path)).headers['mcp-session-id']);
  const send = (id: string, method: string) =>
    client.send(`POST ${path}`, {
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-session-id': id,
        'mcp-protocol-version': '2025-11-25',
      },
      json: { jsonrpc: '2.0', id: 7, method, params: { name: 'greet', arguments: { name: 'A' } } },
    });
  const outcome = async () => {
    const steps = (await client.send(`GET ${client.below(headers.location ?? '')}`)).json;
    return stepIn(steps)?.outcome;
  };
  const gone = await session();
  expect((await send(gone, 'tools/call')).status).toBe(404);
  const other = await session();
  await send(other, 'tools/list');
  expect(await outcome()).toBe('refused');
  await send(gone, 'tools/list');
  expect(await outcome()).toBe('accepted');
});

test('lists of a session have no time for which they are fresh', async () => {
  const client = new RuleClient(service.url, 'fair-list');
  await client.misbehave('changing-list');
  const session = await client.session();
  await session.request('tools/list');
  await session.request('tools/list');
  expect(await broken(client)).toEqual([]);
});

test('a rejected Origin is no attempt to get more scopes', async () => {
  const client = new RuleClient(service.url, 'fair-origin');
  const headers = { origin: 'https://foreign.example' };
  for (let turn = 0; turn < 4; turn++) {
    expect((await client.modern('tools/list', {}, { headers })).status).toBe(403);
  }
  expect(await broken(client)).toEqual([]);
});

test('a rejected request leaves the other requests of its client open', async () => {
  const client = new RuleClient(service.url, 'fair-open');
  const slow = { name: 'slow', arguments: { seconds: 30 } };
  await client.openModern('tools/call', slow, { id: 'a' }, async () => {
    const path = '/mcp?misbehave=too-many-requests';
    expect((await client.modern('tools/call', slow, { id: 'b', path })).status).toBe(429);
    await client.modern('prompts/list', {}, { id: 'a' });
  });
  expect(await broken(client)).toEqual(['id-unique-while-open']);
});

/** Begins a run, and returns the URL and the report of a step. */
async function runOf(client: RuleClient, name: string) {
  const { headers, json } = await client.send('POST /mcp/test-plan/runs');
  const url = new URL(json.find((each: Step) => each.name === name).url);
  const run = client.below(headers.location ?? '');
  const step = async () =>
    (await client.send(`GET ${run}`)).json.find((each: Step) => each.name === name);
  const report = async (outcome: string) =>
    (await client.send(`PUT ${run}/${name}`, { json: { outcome } })).json;
  return { path: client.below(url.href) + url.search, step, report };
}

test('a client that reads many pages is unclear, until its test reports', async () => {
  const client = new RuleClient(service.url, 'fair-pages');
  const { path, step, report } = await runOf(client, 'endless-cursor');
  let cursor: string | undefined;
  for (let page = 0; page < 25; page++) {
    const { json } = await client.modern('tools/list', cursor ? { cursor } : {}, { path });
    cursor = json.result.nextCursor;
  }
  expect(await step()).toMatchObject({ outcome: 'unclear', observed: 'unclear' });
  const corrected = { outcome: 'refused', observed: 'unclear', reported: 'refused' };
  expect(await report('refused')).toMatchObject(corrected);
  expect(await broken(client)).toEqual([]);
});

test('calls that were sent before 429 do not ignore its Retry-After', async () => {
  const client = new RuleClient(service.url, 'fair-429');
  const { path, step } = await runOf(client, 'too-many-requests');
  const call = { name: 'greet', arguments: { name: 'Ada' } };
  const late = `${path}?delay=0.3`;
  await Promise.all(
    [1, 2, 3, 4].map((id) => client.modern('tools/call', call, { path: late, id })),
  );
  expect(await step()).toMatchObject({ outcome: 'refused' });
});

const delayed = async (client: RuleClient, delayMs: number) => {
  const rules = [{ match: { path: '/mcp/*' }, sequence: [{ delayMs }] }];
  await client.send('PUT /api/sandbox/faults', { json: { rules } });
};

test('calls that were sent before a delayed 429 arrived do not ignore its Retry-After', async () => {
  const client = new RuleClient(service.url, 'fair-held-429');
  const { path, step } = await runOf(client, 'too-many-requests');
  const call = { name: 'greet', arguments: { name: 'Ada' } };
  await delayed(client, 600);
  const first = client.modern('tools/call', call, { path, id: 1 });
  const acted = async () => (await client.send('GET /api/sandbox/faults')).json.rules[0].acted;
  await expect.poll(acted).toBe(1);
  await client.modern('tools/call', call, { path, id: 2 });
  expect((await first).status).toBe(429);
  expect(await step()).toMatchObject({ outcome: 'refused' });
});

test('the wait after a delayed 429 begins when it arrives', async () => {
  const client = new RuleClient(service.url, 'fair-early-429');
  const { path, step } = await runOf(client, 'too-many-requests');
  const call = { name: 'greet', arguments: { name: 'Ada' } };
  await delayed(client, 2100);
  await client.modern('tools/call', call, { path, id: 1 });
  await client.modern('tools/call', call, { path, id: 2 });
  expect(await step()).toMatchObject({ outcome: 'accepted' });
});

test('a client that left before a delayed response has not met it', async () => {
  const client = new RuleClient(service.url, 'fair-left');
  const { path, step } = await runOf(client, 'illegal-tool-name');
  await delayed(client, 400);
  const signal = AbortSignal.timeout(100);
  await expect(client.modern('tools/list', {}, { path, id: 1, signal })).rejects.toThrow();
  await expect.poll(async () => (await step()).outcome).toBe('not-reached');
});

test('a report corrects an inference, and not an observation', async () => {
  const client = new RuleClient(service.url, 'fair-report');
  const early = await runOf(client, 'too-many-requests');
  const call = { name: 'greet', arguments: { name: 'Ada' } };
  for (const id of [1, 2]) await client.modern('tools/call', call, { path: early.path, id });
  expect(await early.step()).toMatchObject({ outcome: 'accepted' });
  const corrected = { outcome: 'refused', observed: 'accepted', reported: 'refused' };
  expect(await early.report('refused')).toMatchObject(corrected);
  const bad = await runOf(client, 'illegal-tool-name');
  await client.modern('tools/list', {}, { path: bad.path, id: 3 });
  await client.modern('tools/call', { name: 'bad tool<1>' }, { path: bad.path, id: 4 });
  const seen = { outcome: 'accepted', observed: 'accepted', reported: 'refused' };
  expect(await bad.report('refused')).toMatchObject(seen);
});

test('the page offers no misbehaviour that its URL rejects', async () => {
  const { text } = await service.send('GET /mcp', { headers: { accept: 'text/html' } });
  const offered = [...text.matchAll(/<option value="([a-z\d-]+)" data-what/g)].map(
    ([, name]) => name,
  );
  expect(offered.length).toBeGreaterThan(30);
  const client = new RuleClient(service.url, 'fair-page');
  for (const name of offered) {
    const path = `/mcp?misbehave=${name}`;
    expect((await client.modern('prompts/list', {}, { path })).status, name).toBe(200);
  }
});
