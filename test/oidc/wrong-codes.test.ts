/** Codes that users type cannot be guessed: RFC 8628 section 5.1, RFC 6238, recovery codes. */

import { expect, test } from 'vitest';
import { alan } from '../../src/http/credentials/practice-users.js';
import { totpAt } from '../../src/http/credentials/totp.js';
import { useDirectService } from '../support/direct-service.js';
import { cookiesOf, type Fields, fieldsOf, issuerAt, usualRequest } from '../support/oidc.js';
import type { TestService } from '../support/service.js';

let nowMs = Date.UTC(2030, 0, 1);
const service = useDirectService({ trustProxy: true, now: () => nowMs });

/** Sends a request as a browser does, and returns its page. */
async function pageAt(address: string, path: string, cookie = '', form?: Fields) {
  const headers = { Accept: 'text/html', 'X-Forwarded-For': address, Cookie: cookie };
  const body = form && new URLSearchParams(form);
  const response = await fetch(service.url + path, {
    headers,
    ...(body && { method: 'POST', body }),
  });
  const text = await response.text();
  return [response.status, response.headers.get('retry-after'), text] as const;
}

/** The issuer of a sandbox, and a client of it at an IP address. */
function clientAt(address: string, sandbox: string) {
  const send: TestService['send'] = (target, { headers = {}, ...options } = {}) =>
    service.send(target, { ...options, headers: { 'X-Forwarded-For': address, ...headers } });
  const issuer = issuerAt({ send }, `/s/${sandbox}`);
  return {
    issuer,
    visit: (query: Fields) => send(`GET /s/${sandbox}/oidc/device?${new URLSearchParams(query)}`),
    async userCode(): Promise<string> {
      const { json } = await issuer.post('device_authorization', { client_id: 'demo-device' });
      return json.user_code;
    },
    /** Sends the password of alan, and returns the fields to send with a code. */
    async secondStep() {
      const page = await issuer.authorize(usualRequest());
      const cookie = cookiesOf(page);
      const login = { ...fieldsOf(page), username: 'alan', password: alan.password };
      const asked = await issuer.post('login', login, { cookie });
      return { cookie, fields: fieldsOf(asked) };
    },
    async enter(code: string) {
      const { cookie, fields } = await this.secondStep();
      return issuer.post('login', { ...fields, code }, { cookie });
    },
  };
}

type Client = ReturnType<typeof clientAt>;

const wrongCode = { user_code: 'BBBB-BBBB' };

async function sendWrong(client: Client, count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    expect((await client.visit(wrongCode)).status).toBe(400);
  }
}

test('an IP address may send ten wrong user codes a minute; then even a right one is rejected', async () => {
  const client = clientAt('192.0.2.1', 'device');
  const user_code = await client.userCode();
  await sendWrong(client, 10);
  nowMs += 17_000;
  const rejected = await client.visit({ user_code, auto: 'ada' });
  expect(rejected.status).toBe(429);
  expect(rejected.headers['retry-after']).toBe('43');
  expect(rejected.json).toEqual({
    status: 429,
    error: 'Too Many Requests',
    message: 'Only 10 wrong codes a minute are accepted from this address. Wait 43 s.',
    retryAfter: 43,
  });
  const path = `/s/device/oidc/device?user_code=${user_code}`;
  const [status, retryAfter, page] = await pageAt('192.0.2.1', path);
  expect([status, retryAfter]).toEqual([429, '43']);
  expect(page).toContain('accepted from this address. Wait 43 s.');
  nowMs += 43_000;
  expect((await client.visit({ user_code, auto: 'ada' })).text).toContain('device is connected');
});

test('the clock of a sandbox and another sandbox allow no further attempts', async () => {
  const client = clientAt('192.0.2.2', 'clock');
  await sendWrong(client, 10);
  expect((await client.issuer.setClock(3600)).status).toBe(200);
  expect((await client.visit(wrongCode)).status).toBe(429);
  expect((await clientAt('192.0.2.2', 'elsewhere').visit(wrongCode)).status).toBe(429);
});

test('other IP addresses are not affected, but a whole IPv6 /64 shares a limit', async () => {
  await sendWrong(clientAt('192.0.2.3', 'many'), 10);
  await sendWrong(clientAt('192.0.2.4', 'many'), 10);
  for (let host = 1; host <= 10; host++) await sendWrong(clientAt(`2001:db8::${host}`, 'many'), 1);
  expect((await clientAt('2001:db8::ffff', 'many').visit(wrongCode)).status).toBe(429);
  await sendWrong(clientAt('2001:db8:0:1::1', 'many'), 1);
});

test('of many concurrent wrong codes, no more than ten are tried', async () => {
  const client = clientAt('192.0.2.5', 'parallel');
  const sent = await Promise.all(Array.from({ length: 60 }, () => client.visit(wrongCode)));
  expect(sent.filter(({ status }) => status === 400)).toHaveLength(10);
  expect(sent.filter(({ status }) => status === 429)).toHaveLength(50);
});

test('right codes never count, and do not reset the count', async () => {
  const client = clientAt('192.0.2.6', 'right');
  await sendWrong(client, 9);
  for (let each = 0; each < 12; each++) {
    const allowed = await client.visit({ user_code: await client.userCode(), auto: 'ada' });
    expect(allowed.status).toBe(200);
  }
  await sendWrong(client, 1);
  expect((await client.visit(wrongCode)).status).toBe(429);
});

test('one-time codes and recovery codes at the login count like user codes', async () => {
  const client = clientAt('192.0.2.7', 'login');
  for (let each = 0; each < 4; each++) {
    expect((await client.enter('000000')).text).toContain('The code is wrong');
    expect((await client.enter('aaaa-aaaa')).text).toContain('The code is wrong');
  }
  await sendWrong(client, 2);
  const code = totpAt(alan.totpSecret ?? '', nowMs);
  const rejected = await client.enter(code);
  expect(rejected.status).toBe(429);
  expect(rejected.json).toMatchObject({ retryAfter: 60 });
  const { cookie, fields } = await client.secondStep();
  const form = { ...fields, code: alan.recoveryCodes?.[0] ?? '' };
  const [status, retryAfter, page] = await pageAt('192.0.2.7', '/s/login/oidc/login', cookie, form);
  expect([status, retryAfter]).toEqual([429, '60']);
  expect(page).toContain('wrong codes a minute are accepted from this address');
  // A rejected code was not used up.
  expect((await clientAt('192.0.2.8', 'login').enter(code)).text).not.toContain('wrong');
});

test('an issuer accepts a hundred wrong codes a minute from all addresses together', async () => {
  nowMs += 60_000;
  for (let host = 1; host <= 10; host++) await sendWrong(clientAt(`198.51.100.${host}`, 'all'), 10);
  const late = clientAt('198.51.100.99', 'all');
  const { status, json } = await late.visit(wrongCode);
  expect(status).toBe(429);
  expect(json.message).toContain('Only 100 wrong codes a minute are accepted for this login.');
  await sendWrong(clientAt('198.51.100.99', 'other'), 1);
  nowMs += 60_000;
  await sendWrong(late, 1);
});
