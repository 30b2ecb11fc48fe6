/** Flags that must not change, and the words of each rejection. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { Authenticator, type Forgery } from './authenticator.js';

const service = useService();
const origin = 'http://localhost:4712';
const headers = { Host: 'localhost:4712' };
const path = '/s/flags/api/auth/passkeys';

async function begin(kind: 'register' | 'login') {
  const { json } = await service.send(`POST ${path}/${kind}/options`, {
    headers,
    json: { username: 'ada' },
  });
  return json.challenge as string;
}
const verify = (kind: 'register' | 'login', json: object) =>
  service.send(`POST ${path}/${kind}/verify`, { headers, json });

const register = async (mine: Authenticator, forgery: Forgery = {}) =>
  verify('register', mine.create(await begin('register'), forgery));
const logIn = async (mine: Authenticator, forgery: Forgery = {}) =>
  verify('login', mine.get(await begin('login'), forgery));

const seen = 0x05;
const eligible = 0x08;
const backedUp = 0x10;

describe('the flag BE', () => {
  test.each([
    [seen, seen | eligible, 1, 0],
    [seen, seen | eligible | backedUp, 1, 0],
    [seen | eligible, seen, 0, 1],
  ])('must be as at registration: flags %i, then %i', async (before, after, now, then) => {
    const mine = new Authenticator(origin);
    expect((await register(mine, { flags: before })).status).toBe(201);
    const { status, json } = await logIn(mine, { flags: after, counter: 1 });
    expect(status).toBe(401);
    expect(json.message).toBe(
      `The login is rejected: the flag BE is ${now}, but was ${then} at registration; it never changes.`,
    );
    expect((await logIn(mine, { flags: before, counter: 2 })).status).toBe(200);
  });

  test('may be 1 at both, while BS changes', async () => {
    const mine = new Authenticator(origin);
    expect((await register(mine, { flags: seen | eligible })).status).toBe(201);
    for (const flags of [seen | eligible | backedUp, seen | eligible]) {
      expect((await logIn(mine, { flags })).json).toMatchObject({ verified: true });
    }
  });
});

const cut = (bytes: Buffer) => bytes.subarray(0, 36);
const common: readonly [name: string, forgery: Forgery, words: string][] = [
  [
    'another origin',
    { origin: 'https://evil.example' },
    `the origin in clientDataJSON must be ${origin}; got "https://evil.example".`,
  ],
  ['another host', { rpId: 'evil.example' }, 'is for another host than localhost.'],
  ['no user', { flags: 0 }, 'the flag UP is 0: no user was present.'],
  ['BS without BE', { flags: seen | backedUp }, 'the flag BS is 1 but BE is 0'],
];

test.each([
  ...common,
  [
    'the other ceremony',
    { type: 'webauthn.create' },
    'must be webauthn.get; got "webauthn.create".',
  ],
  ['short data', { corrupt: cut }, 'needs at least 37 bytes; got 36.'],
  ['no signature', { members: { signature: 'MAA' } }, 'it is malformed: '],
  [
    'changed data',
    { corrupt: (bytes) => bytes.fill(9, 36, 37) },
    'the signature does not match the key of this passkey.',
  ],
] satisfies typeof common)('a login with %s says so', async (_name, forgery, words) => {
  const mine = new Authenticator(origin);
  await register(mine);
  const { status, json } = await logIn(mine, forgery);
  expect(status).toBe(401);
  expect(json.message).toMatch(/^The login is rejected: /);
  expect(json.message).toContain(words);
});

test.each([
  ...common,
  ['the other ceremony', { type: 'webauthn.get' }, 'must be webauthn.create; got "webauthn.get".'],
  ['another algorithm', { algorithm: -258 }, 'must be one of -8, -7, -257; got -258.'],
  ['a statement', { statement: { sig: Buffer.alloc(8) } }, 'must not have a statement.'],
  ['malformed data', { corrupt: (bytes) => bytes.subarray(0, 20) }, 'it is malformed: '],
] satisfies typeof common)('a registration with %s says so', async (_name, forgery, words) => {
  const { status, json } = await register(new Authenticator(origin), forgery);
  expect(status).toBe(400);
  expect(json.message).toMatch(/^The registration is rejected: /);
  expect(json.message).toContain(words);
});

test.each([
  [12, 12],
  [12, 11],
  [12, 0],
])('a counter after %i must not be %i', async (before, counter) => {
  const mine = new Authenticator(origin);
  await register(mine, { counter: before });
  const { status, json } = await logIn(mine, { counter });
  expect(status).toBe(401);
  expect(json.message).toBe(
    `The passkey is rejected: its counter is ${counter}, but must be more than ${before}, as at its last login; it may be a copy.`,
  );
});

test('an id that is not the raw id is named', async () => {
  const mine = new Authenticator(origin);
  await register(mine);
  const proof = { ...mine.get(await begin('login')), rawId: 'AAAA' };
  expect((await verify('login', proof)).json.message).toContain('rawId differs from id');
});

test('a page in a frame of another origin is named', async () => {
  const mine = new Authenticator(origin);
  const challenge = await begin('register');
  const sent = { type: 'webauthn.create', challenge, origin, topOrigin: 'https://a.example' };
  const clientDataJSON = Buffer.from(JSON.stringify(sent)).toString('base64url');
  const { json } = await verify(
    'register',
    mine.create(challenge, { members: { clientDataJSON } }),
  );
  expect(json.message).toContain('in a frame of another origin; got "https://a.example"');
});
