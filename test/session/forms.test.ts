import { expect, test } from 'vitest';
import { alan } from '../../src/http/credentials/practice-users.js';
import { useService } from '../support/service.js';
import { Client, type Fields, path } from './client.js';

const service = useService();
const minute = 60;

test('a form requires the token of its browser and session, a new one after the login', async () => {
  const client = new Client(service, 'csrf');
  const ada = { username: 'ada', password: 'ada-secret' };
  const without = await client.form('/login', ada);
  expect(without.status).toBe(403);
  expect(without.json.message).toContain('The CSRF token is missing');
  const csrf = await client.csrf();
  const stranger = new Client(service, 'csrf');
  await stranger.csrf();
  expect((await stranger.form('/login', { ...ada, csrf })).status, 'another browser').toBe(403);
  expect((await client.form('/login', { ...ada, csrf })).json.username).toBe('ada');
  expect((await client.form('/logout', { csrf })).status, 'a token of before').toBe(403);
  expect(await client.status()).toBe(200);
  const own = await client.csrf();
  await client.clock(29 * minute);
  expect((await client.form('/logout', {}, { 'X-CSRF-Token': own })).status).toBe(204);
  const old = await client.csrf();
  await client.clock(60 * minute);
  expect((await client.form('/login', { ...ada, csrf: old })).status, 'an old token').toBe(403);
});

test.each<[name: string, headers: Fields, status: number]>([
  ['a page of another origin', { Origin: 'https://evil.example' }, 403],
  ['a sandboxed frame', { Origin: 'null' }, 403],
  ['another port of this host', { Origin: 'http://localhost:1' }, 403],
  [
    'plain text from another origin',
    { Origin: 'http://x.example', 'Content-Type': 'text/plain' },
    403,
  ],
  ['a program', {}, 204],
])('a logout without a body by %s', async (name, headers, status) => {
  const client = new Client(service, 'origins');
  await client.logIn('ada');
  expect((await client.send('POST /logout', { headers })).status).toBe(status);
  expect(await client.status(), name).toBe(status === 204 ? 401 : 200);
});

test('a logout from a page of this origin is accepted', async () => {
  const client = new Client(service, 'own-origin');
  await client.logIn('ada');
  expect((await client.send('POST /logout', { headers: { Origin: service.url } })).status).toBe(
    204,
  );
});

test.each<
  [name: string, more: { json?: unknown; body?: string; headers?: Fields }, status: number]
>([
  ['no body', {}, 400],
  ['no password', { json: { username: 'ada' } }, 400],
  ['a password that is a list', { json: { username: 'ada', password: ['ada-secret'] } }, 400],
  ['a very long name', { json: { username: 'a'.repeat(201), password: 'x' } }, 400],
  ['a member of Object.prototype as name', { json: { username: '__proto__', password: '' } }, 401],
  ['an empty password', { json: { username: 'ada', password: '' } }, 401],
  ['plain text', { body: 'ada', headers: { 'Content-Type': 'text/plain' } }, 415],
  [
    'a parameter twice',
    {
      body: 'username=ada&username=grace&password=ada-secret',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    },
    400,
  ],
  [
    'two cookies of a session',
    {
      json: { username: 'ada', password: 'ada-secret' },
      headers: { Cookie: 'session=a; session=b' },
    },
    400,
  ],
  [
    'a very long cookie',
    {
      json: { username: 'ada', password: 'ada-secret' },
      headers: { Cookie: `session=${'a'.repeat(3000)}` },
    },
    200,
  ],
])('a login with %s', async (_name, more, status) => {
  expect((await new Client(service, 'faults').send('POST /login', more)).status).toBe(status);
});

test('the page works without scripts: a form returns the next page', async () => {
  const asBrowser = { Accept: 'text/html' };
  const url = `${service.url}/s/page${path}`;
  const jar: string[] = [];
  async function visit(
    target: string,
    fields?: Fields,
  ): Promise<{ response: Response; text: string }> {
    const response = await fetch(url + target, {
      redirect: 'manual',
      headers: { ...asBrowser, Cookie: jar.join('; ') },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name] = pair.split('=');
      const place = jar.findIndex((each) => each.startsWith(`${name}=`));
      if (place < 0) jar.push(pair);
      else jar.splice(place, 1, pair);
    }
    return { response, text: await response.text() };
  }
  const tokenIn = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const first = await visit('');
  expect(first.response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(first.text).toContain('<code>grace-secret</code>');
  expect(first.text).not.toContain('<script');
  const alanFields = { username: 'alan', password: 'alan-secret' };
  const wrong = await visit('/login', {
    ...alanFields,
    password: '<b>',
    csrf: tokenIn(first.text),
  });
  expect(wrong.response.status).toBe(401);
  expect(wrong.text).toContain('role="alert">The user name or the password is wrong.');
  const right = await visit('/login', { ...alanFields, csrf: tokenIn(wrong.text) });
  expect(right.response.status).toBe(303);
  expect(right.response.headers.get('location')).toBe(url);
  const second = await visit('');
  expect(second.text).toContain('<h1>Second factor</h1>');
  expect(second.text).toContain(alan.totpSecret);
  const code = await new Client(service, 'page').code();
  await visit('/totp', { code, csrf: tokenIn(second.text) });
  const last = await visit('');
  expect(last.text).toContain('<h1>You are alan</h1>');
  await visit('/logout', { csrf: tokenIn(last.text) });
  expect((await visit('')).text).toContain('<h1>Log in</h1>');
});
