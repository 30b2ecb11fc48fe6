/**
 * Every page of the issuer and of sessions, with hostile text in each parameter and each field, one
 * at a time.
 */

import { expect, test } from 'vitest';
import {
  cookiesOf,
  type Fields,
  fieldsOf,
  redirectUri,
  useIssuer,
  usualRequest,
} from '../support/oidc.js';
import type { HttpResponse } from '../support/service.js';

const issuer = useIssuer('hostile');
const { service, prefix } = issuer;

/** Requests as a browser does: failures are pages. */
async function visit(path: string, cookie: string, fields?: Fields): Promise<HttpResponse> {
  const response = await fetch(service.url + prefix + path, {
    headers: { Accept: 'text/html', cookie },
    redirect: 'manual',
    ...(fields !== undefined && { method: 'POST', body: new URLSearchParams(fields) }),
  });
  const headers = {
    ...Object.fromEntries(response.headers),
    'set-cookie': response.headers.getSetCookie(),
  };
  return { status: response.status, headers, text: await response.text() } as never;
}

const hostile = [
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)//',
  'https://evil.example/',
  '//evil.example',
  '</title><img src=x onerror=alert(1)>',
  '\r\nSet-Cookie: a=b',
];

/** A page may show it as text only; the user is redirected to the application only. */
function expectHarmless(name: string, { status, headers, text }: HttpResponse): void {
  expect(status, name).toBeLessThan(500);
  if (headers['content-type']?.startsWith('text/html')) {
    expect(text, name).not.toMatch(/<script>alert|<img|' onmouseover='|href="javascript:/);
    expect(text, name).not.toMatch(/(?:action|href|src)="(?:https?:)?\/\/evil/);
    expect(headers['x-frame-options'], name).toBe('DENY');
    const policy = headers['content-security-policy'];
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'"]) {
      expect(policy, name).toContain(rule);
    }
    expect(policy, name).not.toMatch(/unsafe|evil|javascript:/);
  }
  const { location = service.url, 'set-cookie': cookies = [] } = headers;
  const origins = [new URL(redirectUri).origin, new URL(service.url).origin];
  expect(origins, name).toContain(new URL(location, service.url).origin);
  for (const cookie of cookies) expect(cookie, name).not.toMatch(/^a=/);
}

async function walk(
  page: string,
  right: Fields,
  names: readonly string[],
  send: (fields: Fields) => Promise<HttpResponse>,
): Promise<void> {
  for (const name of [...Object.keys(right), ...names]) {
    for (const value of hostile) {
      expectHarmless(`${page}: ${name}=${value}`, await send({ ...right, [name]: value }));
    }
  }
}

const get =
  (path: string, cookie = '') =>
  (fields: Fields) =>
    visit(`/oidc/${path}?${new URLSearchParams(fields)}`, cookie);
const post = (path: string, cookie: string) => (fields: Fields) =>
  visit(`/oidc/${path}`, cookie, fields);

const asked = ['nonce', 'prompt', 'max_age', 'login_hint', 'id_token_hint', 'acr_values', 'claims'];
const more = ['response_mode', 'resource', 'request', 'request_uri', 'dpop_jkt', 'display'];

/** A login and the page of consent, with the cookies of one browser. */
async function toConsent() {
  const login = await issuer.authorize(usualRequest({ prompt: 'consent' }));
  const entered: Fields = { ...fieldsOf(login), username: 'ada', password: 'ada-secret' };
  const consent = await issuer.post('login', entered, { cookie: cookiesOf(login) });
  const cookie = `${cookiesOf(login)}; ${cookiesOf(consent)}`;
  return { entered, login, consent, cookie };
}

test('authorize, as a page and as a posted response', async () => {
  const names = [...asked, ...more, 'auto', 'misbehave'];
  await walk('authorize', usualRequest(), names, get('authorize'));
  const auto = { auto: 'ada', response_mode: 'form_post' };
  await walk('form_post', usualRequest(auto), asked, get('authorize'));
  await walk('authorize by form', usualRequest(), more, post('authorize', ''));
});

test('the pages of a login and of consent', async () => {
  const { entered, login, consent, cookie } = await toConsent();
  await walk('login', entered, ['code', 'proof', 'cancel'], post('login', cookiesOf(login)));
  const response = { ...fieldsOf(consent), answer: 'deny' };
  await walk('consent', response, [], post('consent', cookie));
});

test('the pages for devices', async () => {
  const { cookie } = await toConsent();
  const client_id = 'demo-device';
  const { json } = await issuer.post('device_authorization', { client_id });
  const { user_code } = json;
  await walk('device', { user_code }, ['auto'], get('device', cookie));
  const page = await get('device')({ user_code });
  const own = cookiesOf(page);
  const entered = { ...fieldsOf(page), username: 'ada', password: 'x' };
  await walk('device login', entered, ['code', 'proof'], post('device_answer', own));
  const consent = await get('device', cookie)({ user_code });
  const jar = `${cookie}; ${cookiesOf(consent)}`;
  await walk('device consent', fieldsOf(consent), ['answer'], post('device_answer', jar));
});

test('the pages of a logout', async () => {
  const { cookie } = await toConsent();
  const right = { client_id: 'demo-web', post_logout_redirect_uri: 'http://localhost:4711/' };
  const names = ['state', 'id_token_hint', 'ui_locales', 'logout_hint'];
  await walk('logout', right, names, get('logout', cookie));
  const page = await get('logout', cookie)(right);
  const jar = `${cookie}; ${cookiesOf(page)}`;
  await walk('logout by form', { ...fieldsOf(page), ...right }, names, post('logout', jar));
});

test('the pages of a session', async () => {
  const at = '/api/auth/session';
  const page = await visit(at, '');
  const cookie = cookiesOf(page);
  const send = (path: string, jar: string) => (fields: Fields) =>
    visit(`${at}/${path}`, jar, fields);
  expectHarmless('session', page);
  const own = fieldsOf(page);
  await walk('session', own, ['username', 'password', 'remember'], send('login', cookie));
  const half = await send('login', cookie)({ ...own, username: 'alan', password: 'alan-secret' });
  const jar = `${cookie}; ${cookiesOf(half)}`;
  const second = await visit(at, jar);
  for (const path of ['totp', 'recovery', 'logout', 'logout-everywhere']) {
    await walk(path, fieldsOf(second), ['code'], send(path, jar));
  }
});

test('names of users and clients of a sandbox are text on every page', async () => {
  const [markup = ''] = hostile;
  const client = { clientId: 'c', name: markup, redirectUris: [redirectUri] };
  const user = { username: 'eve', password: markup, claims: { name: markup } };
  await service.send(`PUT ${prefix}/api/sandbox/oidc`, {
    json: { clients: [client], users: [user] },
  });
  const login = await issuer.authorize(usualRequest({ client_id: 'c' }));
  expectHarmless('login', login);
  const entered = { ...fieldsOf(login), username: 'eve', password: markup };
  const consent = await issuer.post('login', entered, { cookie: cookiesOf(login) });
  expect(consent.text).toContain('<h1>Allow this?</h1>');
  expectHarmless('consent', consent);
});
