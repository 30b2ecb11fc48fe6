import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { Authenticator, type Forgery } from './authenticator.js';

const service = useService();
const path = '/api/auth/passkeys';
const origin = 'http://localhost:4712';
const headers = { Host: 'localhost:4712' };

function place(sandbox: string) {
  const post = (target: string, json: unknown) =>
    service.send(`POST /s/${sandbox}${path}/${target}`, { headers, json });
  return {
    post,
    async challenge(kind: 'register' | 'login', body: object = { username: 'ada' }) {
      return (await post(`${kind}/options`, body)).json.challenge as string;
    },
    async register(authenticator: Authenticator, forgery: Forgery = {}, username = 'ada') {
      const challenge = await this.challenge('register', { username });
      return post('register/verify', authenticator.create(challenge, forgery));
    },
    async logIn(authenticator: Authenticator, forgery: Forgery = {}, body: object = {}) {
      const challenge = await this.challenge('login', body);
      return post('login/verify', authenticator.get(challenge, forgery));
    },
    clock: (offsetSeconds: number) =>
      service.send(`PUT /s/${sandbox}/api/sandbox/clock`, { json: { offsetSeconds } }),
  };
}

test('a passkey is created, listed to its user only, and logs in repeatedly', async () => {
  const here = place('login');
  const mine = new Authenticator(origin);
  const made = await here.register(mine);
  expect(made.status).toBe(201);
  expect(made.json).toEqual({ verified: true, username: 'ada', id: mine.id, counter: 0 });
  const options = await here.post('register/options', { username: 'ada' });
  expect(options.json).toMatchObject({
    rp: { id: 'localhost' },
    user: { name: 'ada' },
    attestation: 'none',
    excludeCredentials: [{ id: mine.id, type: 'public-key' }],
  });
  const others = await here.post('login/options', { username: 'grace' });
  expect(others.json.allowCredentials).toEqual([]);
  for (const counter of [1, 2, 7]) {
    const response = await here.logIn(mine, { counter });
    expect(response.json).toEqual({ verified: true, username: 'ada', id: mine.id, counter });
  }
  const place_ = await service.send(`GET /s/login${path}`, { headers });
  expect(place_.json).toEqual({ rpId: 'localhost', origin, passkeys: 1 });
});

test('an authenticator without a counter is accepted repeatedly', async () => {
  const here = place('no-counter');
  const mine = new Authenticator(origin);
  await here.register(mine);
  expect((await here.logIn(mine)).status).toBe(200);
  expect((await here.logIn(mine)).status).toBe(200);
});

test('a cloned key is detected by its counter', async () => {
  const here = place('copy');
  const mine = new Authenticator(origin);
  await here.register(mine, { counter: 4 });
  expect((await here.logIn(mine, { counter: 5 })).status).toBe(200);
  for (const counter of [5, 3, 0]) {
    const { status, json } = await here.logIn(mine, { counter });
    expect(status).toBe(401);
    expect(json.message).toContain('counter');
  }
});

test('of concurrent logins with one counter one succeeds', async () => {
  const here = place('race');
  const mine = new Authenticator(origin);
  await here.register(mine, { counter: 1 });
  const logins = Array.from({ length: 4 }, () => here.logIn(mine, { counter: 2 }));
  const statuses = (await Promise.all(logins)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 401, 401, 401]);
});

test('a challenge is valid once, even after a failure', async () => {
  const here = place('replay');
  const mine = new Authenticator(origin);
  const challenge = await here.challenge('register');
  expect((await here.post('register/verify', mine.create(challenge))).status).toBe(201);
  const again = await here.post('register/verify', mine.create(challenge));
  expect(again.status).toBe(400);
  expect(again.json.message).toContain('is unknown, used, or older');
  const login = await here.challenge('login');
  const wrong = mine.get(login, { origin: 'http://evil.example' });
  expect((await here.post('login/verify', wrong)).status).toBe(401);
  expect((await here.post('login/verify', mine.get(login))).status).toBe(400);
});

test('a challenge is valid for five minutes, one sandbox and one ceremony', async () => {
  const here = place('bound');
  const mine = new Authenticator(origin);
  await here.register(mine);
  const late = await here.challenge('login');
  await here.clock(300);
  expect((await here.post('login/verify', mine.get(late))).status).toBe(400);
  await here.clock(0);
  const elsewhere = await place('bound-too').challenge('login');
  expect((await here.post('login/verify', mine.get(elsewhere))).status).toBe(400);
  const register = await here.challenge('register');
  expect((await here.post('login/verify', mine.get(register))).status).toBe(400);
});

test('a passkey belongs to its sandbox and its user, and is registered once', async () => {
  const here = place('own');
  const mine = new Authenticator(origin);
  await here.register(mine);
  expect((await here.register(mine)).status).toBe(409);
  expect((await place('not-own').logIn(mine)).json.message).toContain('unknown in this sandbox');
  const asGrace = await here.logIn(mine, {}, { username: 'grace' });
  expect(asGrace.status).toBe(401);
  expect(asGrace.json.message).toContain('another user than the login');
  const handle = await here.logIn(mine, { members: { userHandle: 'AAAA' } });
  expect(handle.json.message).toContain('userHandle');
});

const cut = (bytes: Buffer) => bytes.subarray(0, -20);
test.each<[name: string, forgery: Forgery]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://localhost:9' }],
  ['another host', { rpId: 'evil.example' }],
  ['the other ceremony', { type: 'webauthn.get' }],
  ['no user present', { flags: 0 }],
  ['an algorithm that was not offered', { algorithm: -257 - 1 }],
  ['a truncated attestation', { corrupt: cut }],
  ['an attestation of nothing', { corrupt: () => Buffer.from('ff', 'hex') }],
  ['an attestation with infinite nesting', { corrupt: () => Buffer.alloc(10_000, 0x81) }],
  [
    'an attestation that claims gigabytes',
    { corrupt: () => Buffer.from('5b0000000100000000', 'hex') },
  ],
  ['a statement beside the format none', { statement: { sig: Buffer.alloc(8) } }],
  ['a forged signature', { format: 'packed', statement: { sig: Buffer.alloc(70, 1) } }],
  ['a certificate', { format: 'packed', statement: { x5c: [Buffer.alloc(300)] } }],
  [
    'a format with roots to fetch from',
    { format: 'apple', statement: { x5c: [Buffer.alloc(300)] } },
  ],
  [
    'a format with a token',
    { format: 'android-safetynet', statement: { ver: '1', response: Buffer.alloc(9) } },
  ],
  ['an unknown format', { format: 'mine' }],
])('a registration with %s is rejected', async (_name, forgery) => {
  const here = place('forged');
  const { status, json } = await here.register(new Authenticator(origin), forgery);
  expect(status).toBe(400);
  expect(json.message).toMatch(/^The registration is rejected: /);
});

test('a self attestation is accepted', async () => {
  const { status } = await place('packed').register(new Authenticator(origin), {
    format: 'packed',
  });
  expect(status).toBe(201);
});

test.each<[name: string, forgery: Forgery]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['another host', { rpId: 'evil.example' }],
  ['the other ceremony', { type: 'webauthn.create' }],
  ['no user present', { flags: 0 }],
  ['data that was changed after it was signed', { corrupt: (bytes) => bytes.fill(9, 36, 37) }],
  ['truncated data', { corrupt: cut }],
  ['no signature', { members: { signature: 'AA' } }],
])('a login with %s is rejected', async (_name, forgery) => {
  const here = place('forged-login');
  const mine = new Authenticator(origin);
  await here.register(mine);
  const { status, json } = await here.logIn(mine, forgery);
  expect(status).toBe(401);
  expect(json.message).toMatch(/^The login is rejected: /);
});

test('a signature by another key is rejected', async () => {
  const here = place('other-key');
  const mine = new Authenticator(origin);
  await here.register(mine);
  const challenge = await here.challenge('login');
  const forged = { ...new Authenticator(origin).get(challenge), id: mine.id, rawId: mine.id };
  const { status, json } = await here.post('login/verify', forged);
  expect(status).toBe(401);
  expect(json.message).toContain('The login is rejected');
});

test.each<[name: string, target: string, json: unknown]>([
  ['no user name', 'register/options', {}],
  ['a blank user name', 'register/options', { username: ' ' }],
  ['a name with a control character', 'register/options', { username: 'a\u0007' }],
  ['a very long user name', 'register/options', { username: 'a'.repeat(65) }],
  ['no credential', 'register/verify', {}],
  ['a credential that is a list', 'login/verify', []],
  ['a very long id', 'login/verify', { ...new Authenticator(origin, 1100).get('x') }],
  [
    'an id that is not base64url',
    'login/verify',
    { ...new Authenticator(origin).get('x'), id: '+/=' },
  ],
  [
    'a giant attestation',
    'register/verify',
    new Authenticator(origin).create('x', { corrupt: () => Buffer.alloc(13_000) }),
  ],
  [
    'client data that is not JSON',
    'login/verify',
    new Authenticator(origin).get('x', { members: { clientDataJSON: 'AAAA' } }),
  ],
  [
    'client data that is null',
    'login/verify',
    new Authenticator(origin).get('x', { members: { clientDataJSON: 'bnVsbA' } }),
  ],
])('%s is rejected with 400', async (_name, target, json) => {
  expect((await place('malformed').post(target, json)).status).toBe(400);
});

test('an IP address has no passkeys, and the response names a working host', async () => {
  const json = { username: 'ada' };
  const response = await service.send(`POST ${path}/register/options`, { json });
  expect(response.status).toBe(400);
  expect(response.json.message).toContain('use http://localhost:');
  expect((await service.send(`GET ${path}`)).json.rpId).toBe(null);
});

test('passkeys under another host name belong to that host', async () => {
  const tls = { 'X-Forwarded-Proto': 'https', Host: 'api.example' };
  const response = await service.send(`POST /s/host${path}/login/options`, {
    headers: tls,
    json: {},
  });
  expect(response.json.rpId).toBe('api.example');
});

test('a sandbox keeps the newest hundred passkeys', async () => {
  const here = place('many');
  const first = new Authenticator(origin);
  await here.register(first);
  for (let made = 0; made < 100; made += 1) await here.register(new Authenticator(origin), {}, 'x');
  expect((await service.send(`GET /s/many${path}`, { headers })).json.passkeys).toBe(100);
  expect((await here.logIn(first)).json.message).toContain('unknown in this sandbox');
});
