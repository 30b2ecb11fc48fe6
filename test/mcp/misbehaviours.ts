/** For each misbehaviour, what is on the wire, and what counts as accepted. */

import { expect } from 'vitest';
import type {
  LoginName,
  MisbehaviourName,
} from '../../src/areas/mcp/misbehaviour/misbehaviours.js';
import type { Sent, Session } from './mcp.js';
import type { RuleClient } from './rule-client.js';

export interface Met {
  readonly client: RuleClient;
  /** Path of the address in the run, below the sandbox. */
  readonly path: string;
}

/** Meets a misbehaviour, and returns the function that accepts it. Without it, a client reports. */
export type Meet = (met: Met) => Promise<(() => Promise<unknown>) | undefined>;

const hello = { name: 'greet', arguments: { name: 'Ada' } };
const progressToken = 'p';

const call = ({ client, path }: Met, id = 'c'): Promise<Sent> =>
  client.modern('tools/call', hello, { path, id, meta: { progressToken } });

const list = ({ client, path }: Met, params = {}): Promise<Sent> =>
  client.modern('tools/list', params, { path });

const lastEventId = { 'last-event-id': 'a' };

const reports: undefined = undefined;

/** A misbehaviour of a call that only the report of a client tells. */
const ofCall =
  (check: (sent: Sent) => void): Meet =>
  async (met) => {
    check(await call(met));
    return reports;
  };

/** An invalid tool, which a wrong client calls. */
const ofTool =
  (check: (tool: object) => void, name = 'bad_tool'): Meet =>
  async (met) => {
    const { json } = await list(met);
    const tool = json.result.tools.at(-1);
    expect(tool.name).toBe(name);
    check(tool);
    return () => met.client.modern('tools/call', { name }, { path: met.path });
  };

const ofHeader = (...values: readonly string[]) =>
  ofTool((tool) => {
    const text = JSON.stringify(tool);
    for (const value of values) expect(text).toContain(`"x-mcp-header":${JSON.stringify(value)}`);
  });

/** An error of initialize; a wrong client continues. */
const ofInitialize =
  (expected: object): Meet =>
  async ({ client, path }) => {
    const sent = await client.initialize({}, path);
    expect(sent.status).toBe(400);
    expect(sent.json).toMatchObject({ jsonrpc: '2.0', id: 'i', ...expected });
    return () => client.initialize({ protocolVersion: '2025-06-18' }, path);
  };

const ofSession = async ({ client, path }: Met, revision?: string): Promise<Session> =>
  client.session(revision, path);

const canary = ({ client }: Met, url: string) => client.send(`GET ${client.below(url)}`);

/** A GET for the stream that fails; a right client continues in its session. */
const ofStream =
  (status: number): Meet =>
  async ({ client, path }) => {
    const session = await client.session('2025-11-25', path);
    const headers = { ...session.headers, accept: 'text/event-stream' };
    expect((await client.send(`GET ${path}`, { headers })).status).toBe(status);
    expect((await session.request('tools/list')).status).toBe(200);
    const { json } = await client.send('GET /api/sandbox/mcp/findings');
    expect(json.findings).toEqual([]);
    return reports;
  };

export const meetings: Readonly<Record<Exclude<MisbehaviourName, LoginName>, Meet>> = {
  'unknown-id': ofCall(({ json }) => expect(json.id).toBe('c-unknown')),
  'response-twice': ofCall(({ messages }) => {
    expect(messages.map(({ id }) => id)).toEqual(['c', 'c']);
  }),
  'unexpected-batch': ofCall(({ text }) => expect(JSON.parse(text)).toMatchObject([{ id: 'c' }])),
  'unfit-error': ofCall(({ json: { result } }) =>
    expect(result).toMatchObject({ isError: true, structuredContent: { failure: true } }),
  ),
  'stream-not-found': ofStream(404),
  'stream-not-acceptable': ofStream(406),
  'unknown-result-type': ofCall(({ json }) => expect(json.result.resultType).toBe('later')),
  async 'network-ref'(met) {
    const { json } = await list(met);
    const { $ref } = json.result.tools.at(-1).inputSchema.properties.value;
    expect($ref).toContain('/mcp/canary/');
    return () => canary(met, $ref);
  },
  'illegal-tool-name': ofTool(() => undefined, 'bad tool<1>'),
  'header-empty': ofHeader(''),
  'header-space': ofHeader('My Region'),
  'header-colon': ofHeader('Region: eu'),
  'header-control': ofHeader('Region\r\nX-Other: 1'),
  'header-non-ascii': ofHeader('Région'),
  'header-duplicate': ofHeader('Region', 'REGION'),
  'header-on-object': ofTool((tool) =>
    expect(tool).toMatchObject({
      inputSchema: { properties: { value: { type: 'object', 'x-mcp-header': 'Region' } } },
    }),
  ),
  'header-on-number': ofTool((tool) =>
    expect(tool).toMatchObject({
      inputSchema: { properties: { value: { type: 'number', 'x-mcp-header': 'Region' } } },
    }),
  ),
  'header-in-items': ofTool((tool) =>
    expect(tool).toMatchObject({
      inputSchema: { properties: { list: { items: { 'x-mcp-header': 'Region' } } } },
    }),
  ),
  'header-in-any-of': ofTool((tool) =>
    expect(tool).toMatchObject({
      inputSchema: { properties: { value: { anyOf: [{ 'x-mcp-header': 'Region' }, {}] } } },
    }),
  ),
  async 'endless-cursor'(met) {
    let cursor: string | undefined;
    const next = async () => {
      const { json } = await list(met, cursor === undefined ? {} : { cursor });
      cursor = json.result.nextCursor;
    };
    for (let page = 0; page < 3; page++) await next();
    expect(cursor).toBe('endless-3');
    return async () => {
      cursor = 'endless-999';
      for (const _page of [1, 2]) await next();
    };
  },
  async 'cut-stream'(met) {
    const { text, headers } = await call(met);
    expect(headers['content-type']).toContain('text/event-stream');
    expect(text).toContain('data: {"jsonrpc":"2.0","id":"c"');
    expect(text).not.toContain('\n\n');
    return () => met.client.modern('tools/list', {}, { path: met.path, headers: lastEventId });
  },
  async 'endless-stream'({ client, path }) {
    const begun = await client.beginning(path, hello);
    expect(begun).toMatch(/^:/);
    return reports;
  },
  async 'foreign-endpoint'(met) {
    const { client } = met;
    const text = await client.openOld(met.path);
    const url = new URL(/^data: (.*)$/m.exec(text)?.[1] ?? '');
    expect(url.origin).not.toBe(client.url);
    return () => client.send(`POST ${client.below(url.href)}`);
  },
  async 'session-gone'(met) {
    const session = await ofSession(met);
    const { status, json } = await session.request('tools/call', hello);
    expect(status).toBe(404);
    expect(json.error.code).toBe(-32600);
    return () => session.request('tools/list');
  },
  'unsubscribed-update': ofCall(({ messages }) => {
    expect(messages[0]).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'practice://books/99' },
    });
    expect(messages[1].id).toBe('c');
  }),
  'decreasing-progress': ofCall(({ messages }) => {
    const progress = messages
      .slice(0, 2)
      .map(({ params }) => [params.progressToken, params.progress]);
    expect(progress).toEqual([
      [progressToken, 50],
      [progressToken, 20],
    ]);
    expect(messages[2].id).toBe('c');
  }),
  async 'icon-script'(met) {
    const { json } = await list(met);
    expect(json.result.tools.at(-1).icons[0].src).toMatch(/^javascript:/);
    return reports;
  },
  async 'url-elicitation'(met) {
    const { json } = await call(met);
    const { params } = json.result.inputRequests.open;
    expect(params.mode).toBe('url');
    return () => canary(met, params.url);
  },
  async 'changing-list'(met) {
    const { json } = await list(met);
    expect(json.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
    expect(json.result.tools.at(-1).name).toBe('changing_tool_1');
    return async () => {
      const again = await list(met);
      expect(again.json.result.tools.at(-1).name).toBe('changing_tool_2');
    };
  },
  async 'private-list'(met) {
    const { json } = await list(met);
    expect(json.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
    const { name } = json.result.tools.at(-1);
    const { client, path } = met;
    await client.modern('tools/call', { name }, { path });
    const headers = { authorization: 'Bearer other' };
    return () => client.modern('tools/call', { name }, { path, headers });
  },
  'html-response': ofCall(({ status, headers, text }) => {
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html>/);
  }),
  async 'too-many-requests'(met) {
    const { status, headers, json } = await call(met);
    expect(status).toBe(429);
    expect(headers['retry-after']).toMatch(/^[12]$/);
    expect(json).toMatchObject({ id: 'c', error: { code: -32600 } });
    return async () => expect((await call(met, 'd')).json.result.content).toHaveLength(1);
  },
  async 'header-mismatch'(met) {
    const { status, json } = await call(met);
    expect(status).toBe(400);
    expect(json.error.code).toBe(-32020);
    return async () => {
      await call(met, 'd');
      await call(met, 'e');
    };
  },
  async 'version-error-2026-07-28'(met) {
    const { status, json } = await list(met);
    expect(status).toBe(400);
    const data = { supported: ['2099-01-01'], requested: '2026-07-28' };
    expect(json.error).toMatchObject({ code: -32022, data });
    return () => list(met);
  },
  async 'version-unknown'({ client, path }) {
    const { json } = await client.initialize({}, path);
    expect(json.result.protocolVersion).toBe('2099-01-01');
    return () => client.initialize({}, path);
  },
  'version-error-2025-11-25': ofInitialize({
    error: { code: -32602, data: { supported: ['2024-10-07'], requested: '2025-11-25' } },
  }),
  async 'version-error-2025-06-18'(met) {
    const session = await ofSession(met, '2025-06-18');
    const { status, json } = await session.request('tools/call', hello);
    expect(status).toBe(400);
    expect(json.error.message).toBe('Unsupported MCP-Protocol-Version.');
    return async () => {
      await session.request('tools/call', hello);
      await session.request('tools/call', hello);
    };
  },
  async 'version-error-2025-03-26'({ client, path }) {
    const { json } = await client.initialize({ protocolVersion: '2025-03-26' }, path);
    expect(json.result.protocolVersion).toBe('2024-10-07');
    return () => client.initialize({}, path);
  },
  'version-error-2024-11-05': ofInitialize({
    error: { code: -32602, message: 'Unsupported protocol version' },
  }),
};
