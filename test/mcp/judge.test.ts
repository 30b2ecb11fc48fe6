/** The judge of clients, and the misbehaviours of the server. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { callTool, openSession, request } from './mcp.js';

const service = useService();
const { send } = service;

const findingsOf = async (sandbox: string) =>
  (await send(`GET /s/${sandbox}/api/sandbox/mcp/findings`)).json;

const brokenIn = async (sandbox: string): Promise<readonly string[]> =>
  (await findingsOf(sandbox)).findings.map(({ rule }: { rule: string }) => rule);

describe('the judge', () => {
  test('has no finding about a right client of each kind', async () => {
    const path = '/s/judge-right/mcp';
    await request(service, 'tools/list', {}, { path, id: 1 });
    await callTool(service, 'greet', { name: 'Ada' }, { path, id: 2 });
    const session = await openSession(service, '2025-11-25', { path });
    await session.request('tools/list');
    await session.end();
    const { findings, rules } = await findingsOf('judge-right');
    expect(findings).toEqual([]);
    expect(rules.length).toBeGreaterThanOrEqual(60);
    expect(rules).toContainEqual({ rule: 'version-header', level: 'must', outcome: 'kept' });
    expect(rules).toContainEqual({
      rule: 'cursor-unchanged',
      level: 'must',
      outcome: 'not-reached',
    });
  });

  test.each([
    ['method-header', { headers: { 'mcp-method': 'tools/call' } }],
    ['version-header', { headers: { 'mcp-protocol-version': undefined } }],
    ['no-session-header', { headers: { 'mcp-session-id': 'a' } }],
    ['no-resumption', { headers: { 'last-event-id': 'a' } }],
  ])('finds a broken %s', async (rule, options) => {
    const sandbox = `judge-${rule}`;
    await request(service, 'tools/list', {}, { path: `/s/${sandbox}/mcp`, ...options });
    expect(await brokenIn(sandbox)).toEqual([rule]);
  });
});

describe('a misbehaviour', () => {
  test('of the query changes the response', async () => {
    const path = '/s/wrong-a/mcp?misbehave=unknown-id';
    const { json } = await request(
      service,
      'tools/call',
      { name: 'greet', arguments: { name: 'Ada' } },
      { path },
    );
    expect(json.id).toBe('1-unknown');
  });

  test('of the settings counts until it is turned off', async () => {
    const put = await send('PUT /s/wrong-b/api/sandbox/mcp', {
      json: { misbehave: 'illegal-tool-name' },
    });
    expect(put.json).toMatchObject({ misbehave: 'illegal-tool-name', running: 0 });
    const path = '/s/wrong-b/mcp';
    const { json } = await request(service, 'tools/list', {}, { path });
    expect(json.result.tools.at(-1).name).toBe('bad tool<1>');
    await send('PUT /s/wrong-b/api/sandbox/mcp', { json: { misbehave: null } });
    const right = await request(service, 'tools/list', {}, { path, id: 2 });
    expect(right.json.result.tools.at(-1).name).not.toBe('bad tool<1>');
  });

  test('of a run is accepted by a call of the invalid tool', async () => {
    const { status, headers, json } = await send('POST /s/wrong-c/mcp/test-plan/runs');
    expect(status).toBe(201);
    const { url } = json.find(({ name }: { name: string }) => name === 'header-space');
    const path = new URL(url).pathname;
    await request(service, 'tools/list', {}, { path, id: 1 });
    const run = new URL(String(headers.location)).pathname;
    const outcomeOf = async () =>
      (await send(`GET ${run}`)).json.find(({ name }: { name: string }) => name === 'header-space')
        .outcome;
    expect(await outcomeOf()).toBe('refused');
    await request(service, 'tools/call', { name: 'bad_tool' }, { path, id: 2 });
    expect(await outcomeOf()).toBe('accepted');
  });

  test('is in the test plan', async () => {
    const { json } = await send('GET /mcp/test-plan');
    const kinds = json.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind === 'misbehaviour').length).toBeGreaterThan(25);
    expect(kinds.filter((kind: string) => kind === 'rule').length).toBeGreaterThanOrEqual(60);
  });
});
