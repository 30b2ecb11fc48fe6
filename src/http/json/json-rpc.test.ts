import { expect, test } from 'vitest';
import { respondByRpc } from './json-rpc.js';

const ask = (request: unknown) => {
  const response = respondByRpc(Buffer.from(JSON.stringify(request)));
  return response === undefined ? undefined : JSON.parse(response);
};
const call = (method: unknown, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  method,
  ...(params !== undefined && { params }),
  id,
});
const result = (value: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', result: value, id });
const failed = (code: number, id: unknown = 1) => ({
  jsonrpc: '2.0',
  error: expect.objectContaining({ code }),
  id,
});

test.each([
  ['positions', call('subtract', [42, 23]), result(19)],
  ['names', call('subtract', { subtrahend: 23, minuend: 42 }), result(19)],
  ['a sum', call('sum', [1, 2, 4], 'a'), result(7, 'a')],
  ['an empty sum', call('sum', []), result(0)],
  ['an echo', call('echo', { a: [null] }), result({ a: [null] })],
  ['an echo of nothing', call('echo'), result(null)],
  ['an id that is null', call('echo', [], null), result([], null)],
  ['a notification', { jsonrpc: '2.0', method: 'sum', params: [1] }, undefined],
  ['a notification that fails', { jsonrpc: '2.0', method: 'none' }, undefined],
  ['nobody to notify', call('notify', [1]), result({ notified: false })],
  ['a failure', call('fail'), failed(-32603)],
  ['an unknown method', call('none'), failed(-32601)],
  ['a method that objects inherit', call('toString'), failed(-32601)],
  ['too few parameters', call('subtract', [1]), failed(-32602)],
  ['too many', call('subtract', [1, 2, 3]), failed(-32602)],
  ['wrong parameters', call('sum', ['1']), failed(-32602)],
  ['params that are none', call('sum', 1), failed(-32600)],
  ['a method that is none', call(1), failed(-32600)],
  ['an id that is none', call('sum', [], {}), failed(-32600, null)],
  ['another version', { ...call('sum', []), jsonrpc: '1.0' }, failed(-32600)],
  ['a number', 1, failed(-32600, null)],
  ['an empty batch', [], failed(-32600, null)],
  ['a batch of what is none', [1, 2], [failed(-32600, null), failed(-32600, null)]],
  [
    'a batch',
    [call('sum', [1]), { jsonrpc: '2.0', method: 'sum', params: [] }, 1],
    [result(1), failed(-32600, null)],
  ],
  ['a batch of notifications', [{ jsonrpc: '2.0', method: 'echo' }], undefined],
  ['a batch that is too long', Array(1001).fill(call('echo')), failed(-32600, null)],
])('%s', (_name, request, response) => {
  expect(ask(request)).toEqual(response);
});

test('malformed JSON is a parse error with its position', () => {
  expect(JSON.parse(respondByRpc(Buffer.from('{"jsonrpc": "2.0", "method"')) ?? '')).toEqual({
    jsonrpc: '2.0',
    error: { code: -32700, message: 'Parse error', data: expect.stringContaining('line 1') },
    id: null,
  });
});

test('notify sends a notification if the connection allows it', () => {
  const sent: string[] = [];
  respondByRpc(Buffer.from(JSON.stringify(call('notify', ['a']))), (text) => sent.push(text));
  expect(sent.map((each) => JSON.parse(each))).toEqual([
    { jsonrpc: '2.0', method: 'notified', params: ['a'] },
  ]);
});
