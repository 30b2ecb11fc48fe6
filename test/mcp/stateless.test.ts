/** Revision 2026-07-28 of the Model Context Protocol. */

import { describe, expect, test } from 'vitest';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';
import { callTool, modern, request } from './mcp.js';

const service = useService();
const { send } = service;

describe('headers', () => {
  test.each<[string, string, object, Record<string, string | undefined>, number]>([
    ['no version', 'tools/list', {}, { 'mcp-protocol-version': undefined }, -32020],
    ['another version', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }, -32020],
    ['no method', 'tools/list', {}, { 'mcp-method': undefined }, -32020],
    ['another method', 'tools/list', {}, { 'mcp-method': 'tools/call' }, -32020],
    ['a method in another case', 'tools/list', {}, { 'mcp-method': 'Tools/list' }, -32020],
    ['no name', 'tools/call', { name: 'greet' }, { 'mcp-name': undefined }, -32020],
    ['another name', 'tools/call', { name: 'greet' }, { 'mcp-name': 'slow' }, -32020],
    ['a malformed name', 'tools/call', { name: 'greet' }, { 'mcp-name': '=?base64?x?=' }, -32020],
    ['another URI', 'resources/read', { uri: 'practice://books/1' }, { 'mcp-name': 'a' }, -32020],
  ])('with %s are rejected', async (_what, method, params, headers, code) => {
    const { status, json } = await request(service, method, { ...params }, { headers, id: 'a' });
    expect(status).toBe(400);
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 'a', error: { code } });
  });

  test.each([
    ['a missing header', { region: 'eu' }, {}, 400],
    ['another value', { region: 'eu' }, { 'mcp-param-region': 'us' }, 400],
    ['the value', { region: 'eu' }, { 'mcp-param-region': 'eu' }, 200],
    [
      'an encoded value',
      { region: 'Zürich' },
      { 'mcp-param-region': '=?base64?WsO8cmljaA==?=' },
      200,
    ],
    [
      'an integer with a fraction of zero',
      { region: 'eu', shard: 7 },
      { 'mcp-param-region': 'eu', 'mcp-param-shard': '7.0' },
      200,
    ],
    [
      'no header of a nested argument',
      { region: 'eu', customer: { tier: 'gold' } },
      { 'mcp-param-region': 'eu' },
      400,
    ],
    [
      'the header of a nested argument',
      { region: 'eu', customer: { tier: 'gold' } },
      { 'mcp-param-region': 'eu', 'mcp-param-customer-tier': 'gold' },
      200,
    ],
  ])('of arguments: %s', async (_what, args, headers, status) => {
    const params = { name: 'route_order', arguments: args };
    const response = await request(service, 'tools/call', params, { headers });
    expect(response.status).toBe(status);
    if (status === 400) expect(response.json.error.code).toBe(-32020);
  });
});

describe('errors', () => {
  test.each<[string, string, object, number, number]>([
    ['an unknown method', 'tools/other', {}, 404, -32601],
    ['a method of sessions', 'ping', {}, 404, -32601],
    ['an unknown tool', 'tools/call', { name: 'other' }, 200, -32602],
    ['an unknown resource', 'resources/read', { uri: 'practice://books/0' }, 200, -32602],
    ['an unknown prompt', 'prompts/get', { name: 'other' }, 200, -32602],
    ['an invalid cursor', 'tools/list', { cursor: 'x' }, 200, -32602],
    [
      'a missing capability',
      'tools/call',
      { name: 'ask_model', arguments: { text: 'a' } },
      400,
      -32021,
    ],
  ])('for %s', async (_what, method, params, status, code) => {
    const response = await request(service, method, { ...params });
    expect(response.status).toBe(status);
    expect(response.json).toMatchObject({ id: 1, error: { code } });
  });

  test('for another revision list the supported ones', async () => {
    const version = '2099-01-01';
    const { status, json } = await request(
      service,
      'tools/list',
      {},
      {
        headers: { 'mcp-protocol-version': version },
        meta: { 'io.modelcontextprotocol/protocolVersion': version },
      },
    );
    expect(status).toBe(400);
    expect(json.error.code).toBe(-32022);
    expect(json.error.data.requested).toBe(version);
    expect(json.error.data.supported[0]).toBe(modern);
  });

  test.each([
    ['no _meta', { _meta: undefined }],
    ['no revision', { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } }],
    ['no capabilities', { _meta: { 'io.modelcontextprotocol/protocolVersion': modern } }],
  ])('for %s', async (_what, params) => {
    const { status, json } = await send('POST /mcp', {
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': modern,
        'mcp-method': 'tools/list',
      },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params },
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  test.each<[string, string, number, number]>([
    ['malformed JSON', '{', 400, -32700],
    ['a batch', '[]', 400, -32600],
    ['a text', '"a"', 400, -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', 400, -32600],
    ['an array of params', '{"jsonrpc":"2.0","id":1,"method":"a","params":[]}', 400, -32600],
  ])('for %s', async (_what, body, status, code) => {
    const response = await send('POST /mcp', {
      headers: {
        accept: '*/*',
        'content-type': 'application/json',
        'mcp-protocol-version': modern,
      },
      body,
    });
    expect(response.status).toBe(status);
    expect(response.json.error.code).toBe(code);
  });

  test.each([
    ['another type', { 'content-type': 'text/plain', accept: '*/*' }, 415],
    ['one accepted type', { 'content-type': 'application/json', accept: 'application/json' }, 406],
    ['a foreign origin', { 'content-type': 'application/json', origin: 'https://a.example' }, 403],
    ['no origin', { 'content-type': 'application/json', origin: 'null' }, 403],
  ])('for %s are JSON-RPC errors', async (_what, headers, status) => {
    const response = await send('POST /mcp', { headers, body: '{}' });
    expect(response.status).toBe(status);
    if ('accept' in headers) expect(response.json.error.code).toBe(-32600);
  });
});

test('an address with some revisions rejects the others', async () => {
  const path = '/mcp?revisions=2025-11-25,2025-06-18';
  // A server of these revisions has no error of the newer one.
  const meta = { 'io.modelcontextprotocol/protocolVersion': undefined };
  const probes = [{}, { meta }, { headers: { 'mcp-protocol-version': undefined } }];
  for (const probe of probes) {
    const { status, json } = await request(service, 'server/discover', {}, { path, ...probe });
    expect([status, json.error.code, json.error.data]).toEqual([400, -32600, undefined]);
  }
  expect(
    (await send('GET /mcp?revisions=2026-07-28', { headers: { accept: 'text/event-stream' } }))
      .status,
  ).toBe(405);
  expect((await send('DELETE /mcp?revisions=2026-07-28')).status).toBe(405);
  expect((await request(service, 'tools/list', {}, { path: '/mcp?revisions=1' })).status).toBe(400);
});

test('a subscription to tasks needs their extension', async () => {
  const notifications = { taskIds: ['a'] };
  const { status, json } = await request(service, 'subscriptions/listen', { notifications });
  expect([status, json.error.code]).toEqual([400, -32021]);
  expect(json.error.data.requiredCapabilities).toHaveProperty('extensions');
});

test('server/discover describes the server, and every result names it', async () => {
  const { json } = await request(service, 'server/discover');
  expect(json.result).toMatchObject({
    resultType: 'complete',
    capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    cacheScope: 'public',
  });
  expect(json.result.supportedVersions[0]).toBe(modern);
  expect(json.result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('practice-api');
});

test('pages of a list have every item once', async () => {
  const path = '/mcp?pageSize=7';
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const { json } = await request(service, 'resources/list', params, { path });
    uris.push(...json.result.resources.map(({ uri }: { uri: string }) => uri));
    cursor = json.result.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(uris).size).toBe(uris.length);
  expect(uris).toContain('practice://books/1');
  expect(uris.length).toBeGreaterThan(100);
});

describe('input', () => {
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };

  test('is requested in the result, and its state is bound to the request', async () => {
    const name = 'test_input_required_result_multi_round';
    const first = await callTool(service, name, {}, { capabilities });
    expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { step1: {} } });
    const accepted = (key: string, content: object) => ({
      inputResponses: { [key]: { action: 'accept', content } },
    });
    const second = await callTool(
      service,
      name,
      {},
      {
        capabilities,
        params: { ...accepted('step1', { name: 'Ada' }), requestState: first.requestState },
      },
    );
    expect(second).toMatchObject({ resultType: 'input_required', inputRequests: { step2: {} } });
    const third = await callTool(
      service,
      name,
      {},
      {
        capabilities,
        params: { ...accepted('step2', { color: 'green' }), requestState: second.requestState },
      },
    );
    expect(third.content[0].text).toBe('Ada likes green.');
    const other = await request(
      service,
      'tools/call',
      { name: 'test_input_required_result_request_state', requestState: second.requestState },
      { capabilities },
    );
    expect(other.json.error.code).toBe(-32602);
    const elsewhere = await request(
      service,
      'tools/call',
      { name, arguments: {}, requestState: second.requestState },
      { capabilities, path: '/s/other/mcp' },
    );
    expect(elsewhere.json.error.code).toBe(-32602);
    for (const added of ['!', '.', '=', '.x']) {
      const changed = await request(
        service,
        'tools/call',
        { name, arguments: {}, requestState: second.requestState + added },
        { capabilities },
      );
      expect(changed.json.error?.code, added).toBe(-32602);
    }
  });

  test.each([
    ['no object', 'yes'],
    ['an unknown action', { action: 'maybe' }],
    ['content of another type', { action: 'accept', content: { rating: 9 } }],
  ])('with %s is requested again', async (_what, user) => {
    const params = { inputResponses: { user } };
    const result = await callTool(service, 'ask_user', {}, { capabilities, params });
    expect(result.resultType).toBe('input_required');
  });
});

describe('streams', () => {
  test('carry progress and log messages before the response', async () => {
    const params = { name: 'countdown', arguments: { seconds: 1 } };
    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
    const { messages, headers } = await request(service, 'tools/call', params, { meta });
    expect(headers['x-accel-buffering']).toBe('no');
    expect(messages.map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/message',
      'notifications/progress',
      undefined,
    ]);
    expect(messages.at(-1).result.content[0].text).toBe('Counted down from 1.');
  });

  test('of subscriptions report real writes in their sandbox', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 'sub',
      method: 'subscriptions/listen',
      params: {
        notifications: {
          toolsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: ['practice://books/1'],
        },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': modern,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    });
    const connection = openConnection(service.url);
    connection.send(
      requestText(
        'POST /s/subs/mcp',
        {
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
          'MCP-Protocol-Version': modern,
          'Mcp-Method': 'subscriptions/listen',
        },
        body,
      ),
    );
    await connection.until('notifications/subscriptions/acknowledged');
    await send('PATCH /s/other/api/Books/1', { json: { title: 'Elsewhere' } });
    await send('PATCH /s/subs/api/Books/1', { json: { title: 'New' } });
    await connection.until('notifications/resources/updated');
    await send('DELETE /s/subs/api/Movies/1');
    await connection.until('notifications/resources/list_changed');
    await callTool(service, 'test_trigger_tool_change', {}, { path: '/s/subs/mcp' });
    await connection.until('notifications/tools/list_changed');
    const text = connection.received().toString();
    connection.socket.destroy();
    expect(text.match(/resources\/updated/g)).toHaveLength(1);
    expect(text.match(/"io.modelcontextprotocol\/subscriptionId":"sub"/g)).toHaveLength(4);
  });
});

describe('tasks', () => {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const path = '/s/tasks/mcp';
  const get = async (taskId: string) =>
    (await request(service, 'tasks/get', { taskId }, { capabilities, path })).json.result;

  test('follow the clock of the sandbox', async () => {
    const task = await callTool(service, 'slow_compute', { seconds: 100 }, { capabilities, path });
    expect(task).toMatchObject({ resultType: 'task', status: 'working' });
    expect((await get(task.taskId)).status).toBe('working');
    await send('PUT /s/tasks/api/sandbox/clock', { json: { offsetSeconds: 101 } });
    expect(await get(task.taskId)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'Computed for 100 s.' }] },
    });
    await send('PUT /s/tasks/api/sandbox/clock', { json: { offsetSeconds: 0 } });
  });

  test('are cancelled, but not after their end', async () => {
    const { taskId } = await callTool(
      service,
      'slow_compute',
      { seconds: 100 },
      { capabilities, path },
    );
    const cancelled = await request(service, 'tasks/cancel', { taskId }, { capabilities, path });
    expect(cancelled.json.result.resultType).toBe('complete');
    expect((await get(taskId)).status).toBe('cancelled');
    const done = await callTool(service, 'slow_compute', { seconds: 0 }, { capabilities, path });
    await request(service, 'tasks/cancel', { taskId: done.taskId }, { capabilities, path });
    expect((await get(done.taskId)).status).toBe('completed');
  });

  test('need a client that supports them', async () => {
    const { status, json } = await request(service, 'tasks/get', { taskId: 'a' });
    expect(status).toBe(400);
    expect(json.error.data.requiredCapabilities).toEqual(capabilities);
  });
});
