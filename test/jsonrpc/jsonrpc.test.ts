/** JSON-RPC over HTTP; its responses are in src/http/json/json-rpc.test.ts. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();
const call = { jsonrpc: '2.0', method: 'subtract', params: [42, 23], id: 1 };

test('a call gets 200, a batch gets a list, protocol errors get 200', async () => {
  const one = await send('POST /api/jsonrpc', { json: call });
  expect([one.status, one.json]).toEqual([200, { jsonrpc: '2.0', result: 19, id: 1 }]);
  expect((await send('POST /api/jsonrpc', { json: [call, call] })).json).toHaveLength(2);
  const headers = { 'Content-Type': 'application/json' };
  const broken = await send('POST /api/jsonrpc', { headers, body: '{' });
  expect([broken.status, broken.json.error.code]).toEqual([200, -32700]);
  const empty = await send('POST /api/jsonrpc', { headers, body: '' });
  expect(empty.json.error.code).toBe(-32700);
});

test('only notifications are 204', async () => {
  const json = { jsonrpc: '2.0', method: 'echo' };
  expect((await send('POST /api/jsonrpc', { json })).status).toBe(204);
  expect((await send('POST /api/jsonrpc', { json: [json, json] })).status).toBe(204);
});

test('another type than JSON is 415, a body that is too large 413; GET lists the methods', async () => {
  const body = JSON.stringify(call);
  expect((await send('POST /api/jsonrpc', { body })).status).toBe(415);
  const headers = { 'Content-Type': 'application/json' };
  const large = await send('POST /api/jsonrpc', { headers, body: ' '.repeat(1024 * 1024 + 1) });
  expect(large.status).toBe(413);
  expect((await send('GET /api/jsonrpc')).json.methods).toContain('subtract');
});
