import { expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { signUp } from '../support/accounts.js';
import { send as sendTo, useService } from '../support/service.js';

let nowMs = Date.UTC(2030, 0, 1);
const { send } = useService({ signUpsPerHour: 3, trustProxy: true, now: () => nowMs });
const signUpFrom = (address: string) =>
  send('POST /api/accounts', { headers: { 'X-Forwarded-For': address } });

test('an IP address may create a limited number of accounts an hour, and learns when to retry', async () => {
  for (let count = 1; count <= 3; count++) expect((await signUpFrom('192.0.2.1')).status).toBe(201);
  nowMs += 60_000;
  const { status, headers, json } = await signUpFrom('192.0.2.1');
  expect(status).toBe(429);
  expect(headers['retry-after']).toBe('3540');
  expect(json).toMatchObject({
    retryAfter: 3540,
    message: expect.stringContaining('has created the maximum of 3 accounts in an hour'),
  });
  expect((await signUpFrom('192.0.2.2')).status).toBe(201);
  nowMs += 3_540_000;
  expect((await signUpFrom('192.0.2.1')).status).toBe(201);
});

test('concurrent sign-ups create no more accounts than sequential ones', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => signUpFrom('192.0.2.9')));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
});

test('the addresses of one IPv6 network share a limit', async () => {
  const addresses = ['2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:db8::3'];
  for (const address of addresses) expect((await signUpFrom(address)).status).toBe(201);
  expect((await signUpFrom('2001:db8:0:0:abcd::1')).status).toBe(429);
  expect((await signUpFrom('2001:db8:0:1::1')).status).toBe(201);
});

test('a site with a /48 creates at most four times as many, over all of its networks', async () => {
  const made = { 201: 0, 429: 0 };
  const rejections = new Set<string>();
  for (let network = 0; network < 200; network++) {
    const { status, json } = await signUpFrom(`2001:db8:48:${network.toString(16)}::1`);
    made[status as 201 | 429] += 1;
    if (status === 429) rejections.add(json.message.split(' has ')[0]);
  }
  // All of these are in one /56, which may create twice as many as a single address.
  expect(made).toEqual({ 201: 6, 429: 194 });
  expect([...rejections]).toEqual(['The network 2001:db8:48::/56']);
  for (let network = 1; network < 200; network++) {
    const { status, json } = await signUpFrom(`2001:db8:48:${network.toString(16)}00::1`);
    made[status as 201 | 429] += 1;
    if (status === 429) rejections.add(json.message.split(' has ')[0]);
  }
  expect(made[201]).toBe(12);
  expect([...rejections].at(-1)).toBe('The network 2001:db8:48::/48');
  expect((await signUpFrom('2001:db8:49::1')).status).toBe(201);
});

test('an address that continues beyond its limit leaves its neighbours theirs', async () => {
  for (let count = 0; count < 30; count++) await signUpFrom('2001:db8:50::1');
  for (let count = 0; count < 3; count++) {
    expect((await signUpFrom('2001:db8:50:1::1')).status).toBe(201);
  }
});

test('an IPv4 address has one limit, however it is written', async () => {
  for (const address of ['192.0.2.40', '::ffff:192.0.2.40', '::FFFF:c000:228']) {
    expect((await signUpFrom(address)).status).toBe(201);
  }
  expect((await signUpFrom('192.0.2.40')).status).toBe(429);
});

test('a rejected body does not count', async () => {
  const headers = { 'X-Forwarded-For': '192.0.2.3' };
  for (let count = 0; count < 5; count++) {
    expect((await send('POST /api/accounts', { headers, json: { name: 1 } })).status).toBe(400);
  }
  expect((await signUpFrom('192.0.2.3')).status).toBe(201);
});

test('a full service rejects new accounts from any address, and keeps those that exist', async () => {
  const options = { accounts: 'required', maxAccounts: 3, trustProxy: true } as const;
  const service = await createService({ ...options, now: () => nowMs });
  try {
    const from = (address: string) =>
      sendTo(service.url, 'POST /api/accounts', { headers: { 'X-Forwarded-For': address } });
    const first = await signUp({ send: (target) => sendTo(service.url, target) });
    for (const host of [1, 2]) expect((await from(`198.51.100.${host}`)).status).toBe(201);
    for (let host = 3; host < 50; host++) {
      const { status, headers, json } = await from(`198.51.100.${host}`);
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(json.message).toContain('reached its maximum number of accounts');
    }
    const headers = { 'X-Service-Key': first.key };
    expect((await sendTo(service.url, 'GET /api/Events/1', { headers })).status).toBe(200);
    // Accounts that were never used have expired by then.
    nowMs += 7 * 24 * 60 * 60 * 1000;
    for (const host of [1, 2]) expect((await from(`198.51.100.${host}`)).status).toBe(201);
    expect((await from('198.51.100.3')).status).toBe(503);
    expect((await sendTo(service.url, 'GET /api/Events/1', { headers })).status).toBe(200);
  } finally {
    await service.close();
  }
});
