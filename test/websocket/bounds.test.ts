/** Limits of the query of a handshake: exactly the limit, and one more. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { useWebSockets } from '../support/web-sockets.js';

const service = useService();
const { open, rejection } = useWebSockets(service);

describe('the reason of a close frame has at most 123 bytes (RFC 6455 section 5.5)', () => {
  test.each([
    ['ASCII', 'a'.repeat(123)],
    ['characters of two bytes', `${'é'.repeat(61)}a`],
  ])('in %s: 123 arrive, 124 are rejected', async (_name, reason) => {
    const path = (text: string) => `/api/ws/close?code=4000&reason=${encodeURIComponent(text)}`;
    const socket = await open(path(reason));
    expect(await socket.closed()).toEqual([4000, reason]);
    const { status, json } = await rejection(path(`${reason}a`));
    expect([status, json.message]).toEqual([400, 'reason must have at most 123 bytes; got 124.']);
  });
});

test.each([
  ['999', false],
  ['1000', true],
  ['1003', true],
  ['1004', false],
  ['1006', false],
  ['1007', true],
  ['1014', true],
  ['1015', false],
  ['2999', false],
  ['3000', true],
  ['4999', true],
  ['5000', false],
])('the close code %s is allowed: %s', async (code, isAllowed) => {
  const path = `/api/ws/close?code=${code}`;
  if (isAllowed) expect(await (await open(path)).closed()).toEqual([Number(code), '']);
  else expect((await rejection(path)).json.errors[0].field).toBe('code');
});

test.each([
  ['fragments', `/api/ws/fragments?sizes=${Array(100).fill(1)}`, ',1'],
  ['bytes of a fragment', '/api/ws/fragments?sizes=1048576', ',1048577'],
  ['pushed messages', '/api/ws/push?count=10000', '0'],
  ['bytes of a pushed message', '/api/ws/push?interval=60&size=1048576', '0'],
])('%s: the limit is accepted, more is rejected', async (_name, path, more) => {
  expect((await open(path)).status).toBe(101);
  expect((await rejection(path + more)).status).toBe(400);
});
