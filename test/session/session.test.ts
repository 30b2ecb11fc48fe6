import { expect, test } from 'vitest';
import { alan, practiceUsers } from '../../src/http/credentials/practice-users.js';
import { useService } from '../support/service.js';
import { Client, path } from './client.js';

const service = useService();
const minute = 60;
const hour = 60 * minute;

test('a login sets a cookie that scripts and other sites cannot use, and me shows its user', async () => {
  const client = new Client(service, 'login');
  expect((await client.send('GET ')).json).toEqual({ authenticated: false, nextStep: 'login' });
  const response = await client.logIn('grace');
  expect(response.status).toBe(200);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^session=[\w-]{43}; Path=\/s\/login\/api\/auth\/session; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  const me = await client.send('GET /me');
  expect(me.json).toMatchObject({ username: 'grace', roles: ['user', 'admin'], amr: ['pwd'] });
  expect((await client.send('GET ')).json).toMatchObject({ authenticated: true });
  const out = await client.send('POST /logout');
  expect(out.status).toBe(204);
  expect(out.headers['set-cookie']?.[0]).toContain('session=; ');
  expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect(await client.status()).toBe(401);
});

test('GET /api/auth lists the users, who are the users of the issuer', async () => {
  const { session, oidc } = (await service.send('GET /api/auth')).json.credentials;
  expect(session.users).toEqual(practiceUsers);
  for (const [place, user] of oidc.users.entries())
    expect(session.users[place]).toMatchObject(user);
});

test('an id planted by an attacker never becomes the id of a login, and is deleted by it', async () => {
  const attacker = new Client(service, 'fixation');
  await attacker.logIn('grace');
  const planted = attacker.cookie;
  const victim = new Client(service, 'fixation');
  const response = await victim.send('POST /login', {
    headers: { Cookie: planted },
    json: { username: 'ada', password: 'ada-secret' },
  });
  expect(response.status).toBe(200);
  expect(victim.cookie).not.toBe(planted);
  expect(await attacker.status(), 'the session that was planted is over').toBe(401);
  expect((await victim.send('GET /me')).json.username).toBe('ada');
  const made = new Client(service, 'fixation');
  const own = await made.send('POST /login', {
    headers: { Cookie: 'session=chosen' },
    json: { username: 'ada', password: 'ada-secret' },
  });
  expect(own.headers['set-cookie']?.[0]).not.toContain('chosen');
});

test('each step of a login has a new id', async () => {
  const client = new Client(service, 'steps');
  const half = await client.logIn('alan');
  expect(half.json).toMatchObject({
    authenticated: false,
    nextStep: 'totp',
    totpSecret: alan.totpSecret,
  });
  const before = client.cookie;
  const me = await client.send('GET /me');
  expect(me.status).toBe(401);
  expect(me.json.message).toContain('The second factor is missing');
  const whole = await client.send('POST /totp', { json: { code: await client.code() } });
  expect(whole.json).toMatchObject({ username: 'alan', amr: ['pwd', 'otp', 'mfa'] });
  expect(client.cookie).not.toBe(before);
  expect((await client.send('GET /me', { headers: { Cookie: before } })).status).toBe(401);
});

test('a code is valid once, for the first user', async () => {
  const clients = Array.from({ length: 4 }, () => new Client(service, 'replay'));
  for (const client of clients) await client.logIn('alan');
  const code = await clients[0]?.code();
  const responses = await Promise.all(
    clients.map((client) => client.send('POST /totp', { json: { code } })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  const rejected = responses.find(({ status }) => status === 401);
  expect(rejected?.json.message).toBe('The code is wrong or already used.');
  const [late] = clients;
  await late?.logIn('alan');
  const next = await late?.send('POST /totp', { json: { code: await late.code(1) } });
  expect(next?.status, 'the code of the next step').toBe(200);
});

test('each recovery code is valid once, in each sandbox', async () => {
  const [code] = alan.recoveryCodes ?? [];
  const recover = async (sandbox: string) => {
    const client = new Client(service, sandbox);
    await client.logIn('alan');
    return client.send('POST /recovery', { json: { code } });
  };
  expect((await recover('recovery')).json.amr).toEqual(['pwd', 'rec', 'mfa']);
  expect((await recover('recovery')).status).toBe(401);
  expect((await recover('recovery-too')).status).toBe(200);
});

test('a code is rejected without a password, and five minutes after it', async () => {
  const client = new Client(service, 'late');
  const early = await client.send('POST /totp', { json: { code: await client.code() } });
  expect(early.status).toBe(401);
  expect(early.json.message).toContain('No login is waiting for a code.');
  await client.logIn('alan');
  await client.clock(5 * minute);
  const late = await client.send('POST /totp', { json: { code: await client.code() } });
  expect(late.json.message).toContain('No login is waiting for a code.');
  await client.logIn('ada');
  const needless = await client.send('POST /totp', { json: { code: await client.code() } });
  expect(needless.status).toBe(401);
});

test('a session ends half an hour after its last use, and twelve hours after its login', async () => {
  const client = new Client(service, 'idle');
  await client.logIn('ada');
  await client.clock(29 * minute);
  expect(await client.status()).toBe(200);
  await client.clock(58 * minute);
  expect(await client.status()).toBe(200);
  await client.clock(89 * minute);
  expect(await client.status()).toBe(401);

  await client.clock(0);
  await client.logIn('ada');
  for (let passed = 29 * minute; passed < 12 * hour; passed += 29 * minute) {
    await client.clock(passed);
    expect(await client.status(), `after ${passed / minute} minutes`).toBe(200);
  }
  await client.clock(12 * hour);
  expect(await client.status()).toBe(401);
});

test('a remembered session lasts thirty days, and so does its cookie', async () => {
  const client = new Client(service, 'remembered');
  const { headers } = await client.logIn('ada', { remember: true });
  expect(headers['set-cookie']?.[0]).toContain('Max-Age=2592000');
  await client.clock(30 * 24 * hour - minute);
  expect((await client.send('GET /me')).json.remembered).toBe(true);
  await client.clock(30 * 24 * hour + 1);
  expect(await client.status()).toBe(401);
});

test('a session is invalid in another sandbox, and after its clock was set back', async () => {
  const client = new Client(service, 'one');
  await client.clock(hour);
  await client.logIn('ada');
  const elsewhere = await service.send(`GET /s/another${path}/me`, {
    headers: { Cookie: client.cookie },
  });
  expect(elsewhere.status).toBe(401);
  await client.clock(0);
  expect(await client.status()).toBe(401);
});

test('logging out everywhere ends all sessions of the user, and no others', async () => {
  const [first, second, other] = ['ada', 'ada', 'grace'].map((name) => {
    const client = new Client(service, 'everywhere');
    return { client, name };
  });
  for (const each of [first, second, other]) await each?.client.logIn(each.name);
  expect(await first?.client.status('POST /logout-everywhere')).toBe(204);
  expect(await first?.client.status()).toBe(401);
  expect(await second?.client.status()).toBe(401);
  expect(await other?.client.status()).toBe(200);
  expect(await first?.client.status('POST /logout-everywhere')).toBe(401);
  await second?.client.logIn('ada');
  expect(await second?.client.status(), 'a login after it counts').toBe(200);
});

test.each([
  ['a user', 'ada'],
  ['nobody', 'a-name-that-nobody-has'],
])(
  'five wrong passwords of %s, sent concurrently, lock further logins',
  async (_name, username) => {
    const client = new Client(service, `guesses-of-${username}`);
    const logIn = (password: string) =>
      client.send('POST /login', { json: { username, password } });
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, place) => logIn(`p${place}`)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    const right = await logIn(`${username}-secret`);
    expect(right.status).toBe(429);
    expect(right.headers['retry-after']).toMatch(/^(?:60|59)$/);
    expect(right.json.message).toContain('5 wrong attempts');
    const elsewhere = new Client(service, `no-guesses-of-${username}`);
    expect((await elsewhere.logIn('ada')).status).toBe(200);
    await client.clock(minute);
    expect((await logIn(`${username}-secret`)).status).toBe(username === 'ada' ? 200 : 401);
  },
);

test('a right password does not reset the count of wrong codes', async () => {
  const client = new Client(service, 'code-guesses');
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await client.logIn('alan');
    expect((await client.send('POST /totp', { json: { code: '12345x' } })).status).toBe(401);
  }
  await client.logIn('alan');
  const right = await client.send('POST /totp', { json: { code: await client.code() } });
  expect(right.status).toBe(429);
  const recovery = await client.send('POST /recovery', { json: { code: alan.recoveryCodes?.[0] } });
  expect(recovery.status).toBe(429);
  await client.clock(minute);
  const later = await client.send('POST /totp', { json: { code: await client.code() } });
  expect(later.status, 'the rejected code was not used up').toBe(200);
});
