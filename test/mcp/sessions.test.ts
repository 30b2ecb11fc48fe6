/** Sessions of the Model Context Protocol, in memory and across replicas. */

import { describe, expect, test } from 'vitest';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';
import { messagesIn, openSession, type Session } from './mcp.js';

const service = useService();
const { send } = service;

const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'];

function openGet(path: string, session: Session, headers: Record<string, string> = {}) {
  const connection = openConnection(service.url);
  const { accept: _accept, ...others } = session.headers;
  connection.send(
    requestText(`GET ${path}`, { ...others, Accept: 'text/event-stream', ...headers }),
  );
  return connection;
}

function openPost(path: string, session: Session, message: object) {
  const connection = openConnection(service.url);
  connection.send(
    requestText(
      `POST ${path}`,
      { ...session.headers, 'Content-Type': 'application/json' },
      JSON.stringify({ jsonrpc: '2.0', ...message }),
    ),
  );
  return connection;
}

describe.each(sessionRevisions)('revision %s', (revision) => {
  test('begins, works and ends', async () => {
    const session = await openSession(service, revision);
    expect(session.result.protocolVersion).toBe(revision);
    expect((await session.request('ping')).json.result).toEqual({});
    const { json } = await session.request('tools/list');
    expect(json.result.tools.length).toBeGreaterThan(30);
    expect(json.result).not.toHaveProperty('ttlMs');
    expect(json.result).not.toHaveProperty('resultType');
    expect((await session.end()).status).toBe(204);
    expect((await session.request('ping')).status).toBe(404);
  });

  test('sends input requests on the stream of the call', async () => {
    const session = await openSession(service, revision, { capabilities: { sampling: {} } });
    const params = { name: 'ask_model', arguments: { text: 'a' } };
    const call = openPost('/mcp', session, { id: 'call', method: 'tools/call', params });
    await call.until('sampling/createMessage');
    const [{ id }] = messagesIn(call.received().toString()) as [{ id: string }];
    const result = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Short.' } };
    expect((await session.send({ jsonrpc: '2.0', id, result })).status).toBe(202);
    await call.until('Short.');
    call.socket.destroy();
  });

  test('has batches only in 2025-03-26', async () => {
    const session = await openSession(service, revision);
    const { status, json } = await session.send([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    if (revision === '2025-03-26') {
      expect(status).toBe(200);
      expect(json.map((each: { id: number }) => each.id).sort()).toEqual([1, 2]);
    } else {
      expect(status).toBe(400);
      expect(json.error.code).toBe(-32600);
    }
  });
});

test('an unknown revision gets the newest', async () => {
  expect((await openSession(service, '1999-01-01')).revision).toBe('2025-11-25');
  const path = '/mcp?revisions=2025-06-18';
  expect((await openSession(service, '2025-11-25', { path })).revision).toBe('2025-06-18');
});

test.each([
  ['no session', {}, 400],
  ['an unknown session', { 'mcp-session-id': 'other' }, 404],
  ['an unknown revision', { 'mcp-session-id': 'x', 'mcp-protocol-version': '1.0' }, 400],
])('a request with %s is rejected', async (_what, headers, status) => {
  const response = await send('POST /mcp', {
    headers: { accept: 'application/json, text/event-stream', ...headers },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });
  expect(response.status).toBe(status);
  expect(response.json).toMatchObject({ id: 1, error: { code: -32600 } });
});

test('sessions belong to their sandbox', async () => {
  const session = await openSession(service, '2025-11-25', { path: '/s/one/mcp' });
  const { status } = await send('POST /s/two/mcp', {
    headers: session.headers,
    json: { jsonrpc: '2.0', id: 1, method: 'ping' },
  });
  expect(status).toBe(404);
});

describe('a stream', () => {
  test('that was cut is resumed with all of its messages', async () => {
    const path = '/s/resume/mcp';
    const session = await openSession(service, '2025-11-25', { path });
    const params = {
      name: 'test_tool_with_progress',
      arguments: {},
      _meta: { progressToken: 't' },
    };
    const call = openPost(path, session, { id: 'c', method: 'tools/call', params });
    await call.until('"progress":0');
    const text = call.received().toString();
    call.socket.destroy();
    const [, lastId = ''] = /^id: (\S+)\ndata: *\n/m.exec(text) ?? [];
    const resumed = openGet(path, session, { 'Last-Event-ID': lastId });
    await resumed.until('has reported its progress');
    const messages = messagesIn(resumed.received().toString());
    expect(messages.map(({ params: sent }) => sent?.progress)).toEqual([0, 50, 100, undefined]);
    resumed.socket.destroy();
  });

  test('that the server ends is resumed', async () => {
    const session = await openSession(service, '2025-11-25');
    const { text, messages } = await session.request('tools/call', { name: 'test_reconnection' });
    expect(messages).toEqual([]);
    expect(text).toContain('retry: ');
    const [, lastId = ''] = /^id: (\S+)$/m.exec(text) ?? [];
    const resumed = openGet('/mcp', session, { 'Last-Event-ID': lastId });
    await resumed.until('after the stream was resumed');
    resumed.socket.destroy();
  });

  test('of a session reports changes of subscribed resources', async () => {
    const path = '/s/watch/mcp';
    const session = await openSession(service, '2025-06-18', { path });
    const stream = openGet(path, session);
    await stream.until('200 OK');
    const uri = 'practice://books/2';
    await session.request('resources/subscribe', { uri });
    await send('PATCH /s/watch/api/Books/3', { json: { title: 'Other' } });
    await send('PATCH /s/watch/api/Books/2', { json: { title: 'New' } });
    await stream.until('notifications/resources/updated');
    await session.request('resources/unsubscribe', { uri });
    await send('PATCH /s/watch/api/Books/2', { json: { title: 'Newer' } });
    await session.request('tools/call', { name: 'test_trigger_prompt_change' });
    await stream.until('notifications/prompts/list_changed');
    expect(
      stream
        .received()
        .toString()
        .match(/resources\/updated/g),
    ).toHaveLength(1);
    stream.socket.destroy();
  });

  test('ends with its session', async () => {
    const session = await openSession(service, '2025-03-26');
    const stream = openGet('/mcp', session);
    await stream.until('200 OK');
    await session.end();
    await stream.until('0\r\n\r\n');
    stream.socket.destroy();
  });
});

test('a cancelled call gets no response', async () => {
  const session = await openSession(service, '2025-11-25');
  const params = { name: 'countdown', arguments: { seconds: 60 }, _meta: { progressToken: 1 } };
  const call = openPost('/mcp', session, { id: 'c', method: 'tools/call', params });
  await call.until('"progress":0');
  await session.notify('notifications/cancelled', { requestId: 'c' });
  await call.until('0\r\n\r\n');
  expect(call.received().toString()).not.toContain('"result"');
  call.socket.destroy();
});

test('the transport of 2024-11-05 has two paths', async () => {
  const stream = openConnection(service.url);
  stream.send(requestText('GET /s/old/mcp/sse', { Accept: 'text/event-stream' }));
  await stream.until('event: endpoint');
  await stream.until('sessionId=');
  await stream.until('\n\n');
  const [, path = ''] = /^data: (\S+)$/m.exec(stream.received().toString()) ?? [];
  expect(path).toMatch(/^\/s\/old\/mcp\/messages\?sessionId=/);
  const post = (message: object) => send(`POST ${path}`, { json: { jsonrpc: '2.0', ...message } });
  const params = {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  expect((await post({ id: 1, method: 'initialize', params })).status).toBe(202);
  await stream.until('"protocolVersion":"2024-11-05"');
  await post({ id: 2, method: 'tools/list' });
  await stream.until('"id":2');
  const { result } = messagesIn(
    stream
      .received()
      .toString()
      .replace(/^data: \/.*$/m, ''),
  ).at(-1);
  expect(Object.keys(result.tools[0]).sort()).toEqual(['description', 'inputSchema', 'name']);
  stream.socket.destroy();
});
