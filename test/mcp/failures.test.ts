/** Failures of the service carry a JSON-RPC error with the id of the request. */

import { describe, expect, test } from 'vitest';
import { openConnection, requestText } from '../support/raw-connection.js';
import { type HttpResponse, useService } from '../support/service.js';
import { openSession, request } from './mcp.js';

const service = useService();
const { send } = service;

function expectRpcError({ status, headers, text }: HttpResponse, expected: number, id?: unknown) {
  expect(status).toBe(expected);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const { jsonrpc, error, ...others } = JSON.parse(text);
  expect(jsonrpc).toBe('2.0');
  expect(others).toEqual(id === undefined ? {} : { id });
  expect(error).toEqual({ code: expect.any(Number), message: expect.any(String) });
  // JSON-RPC reserves them for each implementation, and this service defines none.
  expect(error.code > -32000 || error.code < -32019).toBe(true);
}

const rules = (fault: object) => ({
  rules: [{ match: { path: '/mcp' }, sequence: [fault] }],
});

const plan = (sandbox: string, fault: object) =>
  send(`PUT /s/${sandbox}/api/sandbox/faults`, { json: rules(fault) });

describe.each(['/mcp', '/s/failing/mcp', '/MCP'])('at %s', (path) => {
  test.each([429, 500, 503])('?error=%i', async (status) => {
    const at = `${path}?error=${status}`;
    expectRpcError(await request(service, 'tools/list', {}, { path: at, id: 'a' }), status, 'a');
    expectRpcError(await request(service, 'tools/list', {}, { path: at, id: 7 }), status, 7);
  });

  test('a notification gets an error without id', async () => {
    const response = await send(`POST ${path}?error=503`, {
      headers: { accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    expectRpcError(response, 503);
  });

  test('no Accept header', async () => {
    const json = { jsonrpc: '2.0', id: 'a', method: 'ping' };
    expectRpcError(await send(`POST ${path}?error=503`, { json }), 503, 'a');
  });

  test('an unsupported method', async () => {
    expectRpcError(await send(`PUT ${path}`, { json: {} }), 405);
  });
});

test('planned faults, without and with a body in the plan', async () => {
  await plan('planned-mcp', { status: 503, retryAfter: 1 });
  const path = '/s/planned-mcp/mcp';
  const failed = await request(service, 'tools/list', {}, { path, id: 'a' });
  expectRpcError(failed, 503, 'a');
  expect(failed.headers['retry-after']).toBe('1');
  expect((await request(service, 'tools/list', {}, { path, id: 'b' })).status).toBe(200);
  await plan('planned-mcp', { status: 502, body: 'Bad gateway' });
  expect((await request(service, 'tools/list', {}, { path })).text).toBe('Bad gateway');
});

test('planned faults in a session', async () => {
  const path = '/s/planned-session/mcp';
  const session = await openSession(service, '2025-11-25', { path });
  await plan('planned-session', { status: 500 });
  expectRpcError(await session.request('tools/list'), 500, 1);
});

test.each([
  ['announced', '413'],
  ['chunked', '413'],
])('a body that is too large: %s', async (kind, status) => {
  const connection = openConnection(service.url);
  const headers = {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    ...(kind === 'announced'
      ? { 'Content-Length': String(20 * 1024 * 1024) }
      : { 'Transfer-Encoding': 'chunked' }),
  };
  connection.send(requestText('POST /mcp', headers, undefined));
  if (kind === 'chunked') {
    const chunk = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent < 11; sent++) connection.send(`100000\r\n${chunk}\r\n`);
  }
  await connection.until('"jsonrpc":"2.0"');
  const text = connection.received().toString();
  expect(text).toContain(`HTTP/1.1 ${status} `);
  expect(text).toContain('"error":{"code":-32600,"message":"');
  connection.socket.destroy();
});

test('REST endpoints of the area keep the errors of the service', async () => {
  const failed = await send('GET /s/failing/api/sandbox/mcp?error=503');
  expect(failed.json).toMatchObject({ status: 503, error: 'Service Unavailable' });
  const unknown = await send('GET /mcp/test-plan/runs/none');
  expect(unknown.json).toMatchObject({ status: 404, error: 'Not Found' });
  const report = await send('PUT /mcp/test-plan/runs/none/unknown-id', { json: { outcome: 1 } });
  expect(report.json).toMatchObject({ status: 400, error: 'Bad Request' });
});
