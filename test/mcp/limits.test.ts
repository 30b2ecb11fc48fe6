/** Limits of sessions, and other ways to the server. */

import { connect } from 'node:http2';
import { describe, expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';
import { openSession, request } from './mcp.js';

const service = useService();
const { send } = service;

test('a session has limits for what it stores', async () => {
  const path = '/s/limited-mcp/mcp';
  const { status, json } = await send(`POST ${path}`, {
    headers: { accept: 'application/json, text/event-stream' },
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x'.repeat(20_000), version: '1' },
      },
    },
  });
  expect([status, json.error.code]).toEqual([400, -32602]);
  const session = await openSession(service, '2025-11-25', { path });
  const subscribe = (uri: string) => session.request('resources/subscribe', { uri });
  expect((await subscribe(`practice://${'x'.repeat(2000)}`)).json.error.code).toBe(-32602);
  for (let id = 0; id < 100; id++) await subscribe(`practice://books/${id}`);
  expect((await subscribe('practice://books/100')).json.error.code).toBe(-32602);
  expect((await subscribe('practice://books/99')).json.result).toEqual({});
});

test('a batch of 2025-03-26 has 1 to 100 messages', async () => {
  const session = await openSession(service, '2025-03-26');
  const batch = (count: number) =>
    session.send(
      Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
    );
  const { status, json } = await batch(100);
  expect([status, json.length]).toEqual([200, 100]);
  for (const count of [0, 101]) {
    const rejected = await batch(count);
    expect([rejected.status, rejected.json.error]).toEqual([
      400,
      { code: -32600, message: 'A batch has 1 to 100 messages.' },
    ]);
  }
});

test('the oldest of more than 100 sessions is gone', async () => {
  const path = '/s/many-sessions/mcp';
  const oldest = await openSession(service, '2025-11-25', { path });
  for (let count = 0; count < 100; count++) await openSession(service, '2025-11-25', { path });
  expect((await oldest.request('ping')).status).toBe(404);
  const { json } = await send('GET /s/many-sessions/api/sandbox/mcp');
  expect(json.sessions).toBe(100);
});

describe('with accounts', () => {
  const guarded = useService({ accounts: 'required' });

  test('strangers get 401 with the id, and an account has its own records', async () => {
    const params = { name: 'greet', arguments: { name: 'Ada' } };
    const rejected = await request(guarded, 'tools/call', params, { id: 'a' });
    expect(rejected.status).toBe(401);
    expect(rejected.json).toMatchObject({ id: 'a', error: { code: -32600 } });
    const { key } = await signUp(guarded);
    const headers = { 'x-service-key': key };
    const { json } = await request(guarded, 'tools/call', params, { id: 'b', headers });
    expect(json.result.content[0].text).toBe('Hello, Ada!');
  });
});

describe('over HTTP/2', () => {
  const h2 = useService({ h2c: true });

  test('requests and streams are the same', async () => {
    const session = connect(h2.url);
    const call = (name: string, args: object) =>
      new Promise<string>((resolve, reject) => {
        const stream = session.request({
          ':method': 'POST',
          ':path': '/s/mcp-h2/mcp',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        });
        let text = '';
        stream.setEncoding('utf8');
        stream.on('data', (chunk) => {
          text += chunk;
        });
        stream.on('end', () => resolve(text));
        stream.on('error', reject);
        const _meta = {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
          progressToken: 'p',
        };
        const params = { name, arguments: args, _meta };
        stream.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      });
    try {
      expect(JSON.parse(await call('greet', { name: 'Ada' })).result.content[0].text).toBe(
        'Hello, Ada!',
      );
      const streamed = await call('countdown', { seconds: 1 });
      expect(streamed.match(/notifications\/progress/g)).toHaveLength(2);
      expect(streamed).toContain('Counted down from 1.');
    } finally {
      session.close();
    }
  });
});
