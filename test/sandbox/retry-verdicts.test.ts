/** Verdicts to the millisecond, under a clock that the test moves. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { GivenRule } from '../../src/faults/plan/fault-plan.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

let nowMs = Date.UTC(2030, 0, 1, 12, 0, 0, 250);
const service = useService({ now: () => nowMs });
const { send } = service;

async function plan(...rules: GivenRule[]) {
  const headers = { 'x-sandbox': `verdicts-${randomUUID()}` };
  const { status, text } = await send('PUT /api/sandbox/faults', { headers, json: { rules } });
  expect(status, text).toBe(200);
  return headers;
}

async function verdictsIn(headers: Readonly<Record<string, string>>) {
  const { json } = await send('GET /api/sandbox/faults/log', { headers });
  return json.series.map(({ verdict }: { verdict: unknown }) => verdict);
}

const oneSecond = { honouredRetryAfter: { honoured: true, askedMs: 1000, waitedMs: 1000 } };

test('a Retry-After date counts from when the response was sent, however slow its body is', async () => {
  const headers = await plan({
    sequence: [{ status: 503, retryAfter: { seconds: 2, as: 'date' } }],
  });
  const connection = openConnection(service.url);
  const text = requestText('POST /api/methods/post', { ...headers, 'content-length': '4' });
  connection.send(`${text}a`);
  const isMet = async () => {
    const { json } = await send('GET /api/sandbox/faults', { headers });
    return json.rules[0].acted === 1;
  };
  await expect.poll(isMet).toBe(true);
  nowMs += 1500;
  connection.send('bcd');
  await connection.until('\r\n\r\n');
  const [, date = ''] = /retry-after: (.*)\r\n/i.exec(connection.received().toString()) ?? [];
  connection.socket.destroy();
  const askedMs = Date.parse(date) - nowMs;
  nowMs = Date.parse(date);
  await send('POST /api/methods/post', { headers, body: 'abcd' });
  expect(await verdictsIn(headers)).toMatchObject([
    { honouredRetryAfter: { honoured: true, askedMs, waitedMs: askedMs } },
  ]);
});

test('Retry-After in the headers of a fault counts as well', async () => {
  const headers = await plan({ sequence: [{ status: 503, headers: { 'Retry-After': '1' } }] });
  await send('GET /api/Books/1', { headers });
  nowMs += 1000;
  await send('GET /api/Books/1', { headers });
  expect(await verdictsIn(headers)).toMatchObject([oneSecond]);
});

test.each([
  ['passed', {}],
  ['was delayed', { delayMs: 1 }],
] as const)('Retry-After counts in a response of the service that %s', async (_name, fault) => {
  const headers = await plan({ sequence: Array(3).fill(fault) });
  const target = 'GET /api/RateLimit?limit=1&window=1';
  expect((await send(target, { headers })).status).toBe(200);
  expect((await send(target, { headers })).status).toBe(429);
  nowMs += 1000;
  expect((await send(target, { headers })).status).toBe(200);
  const [, rejected] = await verdictsIn(headers);
  expect(rejected).toMatchObject({ retried: true, succeeded: true, ...oneSecond });
});
