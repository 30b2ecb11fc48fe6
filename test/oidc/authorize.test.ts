import { expect, test } from 'vitest';
import { totpAt } from '../../src/http/credentials/totp.js';
import {
  cookiesOf,
  type Fields,
  fieldsOf,
  issuerAt,
  redirectUri,
  responseIn,
  usualRequest,
  without,
} from '../support/oidc.js';
import { useService } from '../support/service.js';

const service = useService();
const issuer = issuerAt(service, '/s/authorize');
const asBrowser = { Accept: 'text/html' };

test.each<[name: string, change: Fields, says: string]>([
  ['Unknown client_id', { client_id: '' }, 'client_id is missing'],
  ['an unknown client', { client_id: 'nobody' }, 'Unknown client_id'],
  ['no redirect URI', { redirect_uri: '' }, 'redirect_uri is missing'],
  ['another redirect URI', { redirect_uri: `${redirectUri}/more` }, 'must match exactly'],
  ['another host', { redirect_uri: 'https://evil.example/callback' }, 'must match exactly'],
])('the user sees %s on a page, without a redirect', async (_name, change, says) => {
  const program = await issuer.authorize(usualRequest(change));
  expect(program.status).toBe(400);
  expect(program.headers).not.toHaveProperty('location');
  expect(program.json).toMatchObject({ error: 'invalid_request' });
  expect(program.json.message).toContain(says);
});

test.each<[name: string, request: Fields, error: string]>([
  ['another response type', usualRequest({ response_type: 'token' }), 'unsupported_response_type'],
  ['no response type', without(usualRequest(), 'response_type'), 'invalid_request'],
  ['another response mode', usualRequest({ response_mode: 'web_message' }), 'invalid_request'],
  ['no scope', without(usualRequest(), 'scope'), 'invalid_scope'],
  ['no known scope', usualRequest({ scope: 'everything' }), 'invalid_scope'],
  ['the plain method', usualRequest({ code_challenge_method: 'plain' }), 'invalid_request'],
  ['no method', without(usualRequest(), 'code_challenge_method'), 'invalid_request'],
  ['a malformed challenge', usualRequest({ code_challenge: 'short' }), 'invalid_request'],
  [
    'a public client without PKCE',
    without(usualRequest({ client_id: 'demo-spa' }), 'code_challenge', 'code_challenge_method'),
    'invalid_request',
  ],
  ['an unknown prompt', usualRequest({ prompt: 'maybe' }), 'invalid_request'],
  ['none with another prompt', usualRequest({ prompt: 'none login' }), 'invalid_request'],
  ['a max_age in words', usualRequest({ max_age: 'soon' }), 'invalid_request'],
  ['claims that are no JSON', usualRequest({ claims: '{' }), 'invalid_request'],
  [
    'claims of another form',
    usualRequest({ claims: '{"id_token":{"acr":{"essential":"yes"}}}' }),
    'invalid_request',
  ],
  ['a forged request object', usualRequest({ request: 'a.b.c' }), 'invalid_request_object'],
  ['a request_uri', usualRequest({ request_uri: 'urn:x' }), 'request_uri_not_supported'],
  ['a forged hint', usualRequest({ id_token_hint: 'a.b.c' }), 'invalid_request'],
  [
    'an unknown resource (RFC 8707)',
    usualRequest({ resource: 'https://other.example/', auto: 'ada' }),
    'invalid_target',
  ],
  ['a user who is not logged in', usualRequest({ prompt: 'none' }), 'login_required'],
  ['a denial', usualRequest({ auto: 'deny' }), 'access_denied'],
  ['an unknown user', usualRequest({ auto: 'nobody' }), 'invalid_request'],
  ['very long parameters', usualRequest({ nonce: 'n'.repeat(9000) }), 'invalid_request'],
])('the client gets %s, with state and iss', async (_name, request, error) => {
  const response = responseIn(await issuer.authorize(request));
  expect(response.get('error')).toBe(error);
  expect(response.get('error_description')).toBeTruthy();
  expect(response.get('state')).toBe('xyz');
  expect(response.get('iss')).toBe(`${service.url}/s/authorize/oidc`);
  expect(response.has('code')).toBe(false);
});

test('a repeated parameter is rejected', async () => {
  const { status, json } = await service.send(
    `GET /oidc/authorize?${new URLSearchParams(usualRequest())}&state=other`,
  );
  expect(status).toBe(400);
  expect(json.message).toContain('state is repeated');
});

test('a redirect_uri with a port over 65535 is rejected', async () => {
  const redirect_uri = 'http://localhost:99999/callback';
  const { status, json } = await issuer.authorize(usualRequest({ redirect_uri }));
  expect(status).toBe(400);
  expect(json.message).toContain('redirect_uri');
});

test('users see the page of a rejection, which no site can frame', async () => {
  const { status, headers } = await fetch(`${service.url}/oidc/authorize`, { headers: asBrowser });
  expect(status).toBe(400);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('x-frame-options')).toBe('DENY');
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('script-src');
});

async function loginPage(request: Fields) {
  const page = await issuer.authorize(request, asBrowser);
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h1>Log in</h1>');
  return { cookie: cookiesOf(page), fields: fieldsOf(page), page };
}

test('a user logs in, consents, and the client gets a code; the second time no page is shown', async () => {
  const request = usualRequest({ scope: 'openid email' });
  const { cookie, fields, page } = await loginPage(request);
  expect(page.headers['content-security-policy']).toContain(
    "form-action 'self' http://localhost:4711;",
  );
  const wrong = await issuer.post(
    'login',
    { ...fields, username: 'ada', password: 'x' },
    { cookie },
  );
  expect(wrong.text).toContain('The user name or the password is wrong.');
  expect(cookiesOf(wrong)).toBe('');
  const right = { ...fields, username: 'ada', password: 'ada-secret' };
  const consent = await issuer.post('login', right, { cookie });
  expect(consent.text).toContain('<h1>Allow this?</h1>');
  const [session = ''] = consent.headers['set-cookie'] ?? [];
  expect(session).toMatch(
    /^oidc_session=oss_[\w-]{43}; Path=\/s\/authorize\/oidc; HttpOnly; SameSite=Lax$/,
  );
  const jar = `${cookie}; ${cookiesOf(consent)}`;
  const allowing = { ...fieldsOf(consent), answer: 'allow' };
  const response = responseIn(await issuer.post('consent', allowing, { cookie: jar }));
  expect(response.get('code')).toMatch(/^oac_/);
  expect(response.get('state')).toBe('xyz');
  for (const more of [{}, { prompt: 'none', login_hint: 'ada' }]) {
    const again = await issuer.authorize({ ...request, ...more }, { cookie: jar });
    expect(responseIn(again).get('code')).toMatch(/^oac_/);
  }
  const other = await issuer.authorize(
    { ...request, prompt: 'none', scope: 'openid phone' },
    { cookie: jar },
  );
  expect(responseIn(other).get('error')).toBe('consent_required');
  const hinted = await issuer.authorize(
    { ...request, prompt: 'none', login_hint: 'grace' },
    { cookie: jar },
  );
  expect(responseIn(hinted).get('error')).toBe('login_required');
  for (const more of [{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }]) {
    expect((await issuer.authorize({ ...request, ...more }, { cookie: jar })).text).toContain(
      '<h1>Log in</h1>',
    );
  }
  const asked = await issuer.authorize({ ...request, prompt: 'consent' }, { cookie: jar });
  expect(asked.text).toContain('<h1>Allow this?</h1>');
});

test('a user may cancel, and may deny', async () => {
  const request = usualRequest({ scope: 'openid address' });
  const { cookie, fields } = await loginPage(request);
  const cancelled = await issuer.post('login', { ...fields, cancel: 'yes' }, { cookie });
  expect(responseIn(cancelled).get('error')).toBe('access_denied');
  const right = { ...fields, username: 'grace', password: 'grace-secret' };
  const consent = await issuer.post('login', right, { cookie });
  const jar = `${cookie}; ${cookiesOf(consent)}`;
  const denied = await issuer.post(
    'consent',
    { ...fieldsOf(consent), answer: 'deny' },
    { cookie: jar },
  );
  expect(responseIn(denied).get('error')).toBe('access_denied');
});

test('a code of an authenticator app is required after the password, and is valid once', async () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const { cookie, fields } = await loginPage(usualRequest());
  const right = { ...fields, username: 'alan', password: 'alan-secret' };
  const asked = await issuer.post('login', right, { cookie });
  expect(asked.text).toContain('<h1>Second factor</h1>');
  expect(cookiesOf(asked)).toBe('');
  const step = fieldsOf(asked);
  const wrong = await issuer.post('login', { ...step, code: '000' }, { cookie });
  expect(wrong.text).toContain('The code is wrong');
  const { now } = (await service.send('GET /s/authorize/api/sandbox/clock')).json;
  const code = totpAt(secret, Date.parse(now));
  const unproved = await issuer.post('login', { ...step, proof: '', code }, { cookie });
  expect(unproved.text).toContain('Log in again');
  const done = await issuer.post('login', { ...step, code }, { cookie });
  expect(done.text).toContain('<h1>Allow this?</h1>');
  const replayed = await issuer.post('login', { ...step, code }, { cookie });
  expect(replayed.text).toContain('already used');
});

test('forms of other browsers, of other requests and of yesterday are rejected', async () => {
  const { cookie, fields } = await loginPage(usualRequest());
  const right: Fields = { ...fields, username: 'ada', password: 'ada-secret' };
  const other = await loginPage(usualRequest());
  const changed = { ...right, request: right.request?.replace('state=xyz', 'state=abc') ?? '' };
  for (const [sent, jar] of [
    [right, ''],
    [right, other.cookie],
    [changed, cookie],
    [without(right, 'csrf'), cookie],
  ] as const) {
    expect((await issuer.post('login', sent, { cookie: jar })).status).toBe(403);
  }
  const consent = await issuer.post('login', right, { cookie });
  const allowing = { ...fieldsOf(consent), answer: 'allow' };
  expect((await issuer.post('consent', allowing, { cookie })).status).toBe(403);
  await issuer.setClock(1801);
  expect((await issuer.post('login', right, { cookie })).status).toBe(403);
  await issuer.setClock(0);
});

test('a login creates a new session id, and the old session ends', async () => {
  const first = cookiesOf(await issuer.authorize(usualRequest({ auto: 'ada' })));
  const second = await issuer.authorize(usualRequest({ auto: 'ada' }), { cookie: first });
  expect(cookiesOf(second)).not.toBe(first);
  const silent = usualRequest({ prompt: 'none' });
  expect(responseIn(await issuer.authorize(silent, { cookie: first })).get('error')).toBe(
    'login_required',
  );
  expect(
    responseIn(await issuer.authorize(silent, { cookie: cookiesOf(second) })).has('code'),
  ).toBe(true);
  await issuer.setClock(8 * 3600 + 1);
  const late = await issuer.authorize(silent, { cookie: cookiesOf(second) });
  expect(responseIn(late).get('error')).toBe('login_required');
  await issuer.setClock(0);
});

test('the response is sent in a fragment or by form_post, as requested', async () => {
  const fragment = await issuer.authorize(usualRequest({ auto: 'ada', response_mode: 'fragment' }));
  expect(responseIn(fragment, '#').has('code')).toBe(true);
  const form = await issuer.authorize(
    usualRequest({ auto: 'ada', response_mode: 'form_post', state: '"<&' }),
  );
  expect(form.status).toBe(200);
  expect(form.text).toContain(`action="${redirectUri}"`);
  expect(form.text).toContain('value="&quot;&lt;&amp;"');
  expect(fieldsOf(form)).toHaveProperty('code');
  expect(form.headers['content-security-policy']).toMatch(/script-src 'sha256-[\w+/=]+'; /);
});

test('the request may be posted, and applications may use custom schemes', async () => {
  const native = usualRequest({
    client_id: 'demo-native',
    redirect_uri: 'com.example.demo:/callback',
  });
  const response = await issuer.post('authorize', { ...native, auto: 'grace' });
  expect(response.headers.location).toMatch(/^com\.example\.demo:\/callback\?code=oac_/);
  const page = await issuer.post('authorize', native);
  expect(page.headers['content-security-policy']).toContain(
    "form-action 'self' com.example.demo:;",
  );
});

test('essential claims apply: another sub, and a stronger login', async () => {
  const sub = { id_token: { sub: { value: 'grace' } } };
  const other = usualRequest({ auto: 'ada', claims: JSON.stringify(sub) });
  expect(responseIn(await issuer.authorize(other)).get('error')).toBe('login_required');
  const acr = { id_token: { acr: { essential: true, values: ['mfa'] } } };
  const strong = usualRequest({ claims: JSON.stringify(acr) });
  const weak = await issuer.authorize({ ...strong, auto: 'ada' });
  expect(responseIn(weak).get('error')).toBe('unmet_authentication_requirements');
  expect(responseIn(await issuer.authorize({ ...strong, auto: 'alan' })).has('code')).toBe(true);
});

test('another acr_values than the login requires a new login, and the response has the actual acr', async () => {
  const { cookie: jar } = {
    cookie: cookiesOf(await issuer.authorize(usualRequest({ auto: 'ada' }))),
  };
  const strong = usualRequest({ acr_values: 'mfa' });
  const asked = await issuer.authorize(strong, { cookie: jar });
  expect(asked.text).toContain('<h1>Log in</h1>');
  const silent = await issuer.authorize({ ...strong, prompt: 'none' }, { cookie: jar });
  expect(responseIn(silent).has('code')).toBe(true);
  for (const wished of ['mfa pwd', 'urn:example:gold']) {
    const enough = usualRequest({ acr_values: wished });
    expect(responseIn(await issuer.authorize(enough, { cookie: jar })).has('code')).toBe(true);
  }
  const acr = { id_token: { acr: { essential: true, value: 'mfa' } } };
  const needed = usualRequest({ claims: JSON.stringify(acr) });
  expect((await issuer.authorize(needed, { cookie: jar })).text).toContain('<h1>Log in</h1>');
  const rejected = await issuer.authorize({ ...needed, prompt: 'none' }, { cookie: jar });
  expect(responseIn(rejected).get('error')).toBe('unmet_authentication_requirements');
});

test('an essential sub of userinfo applies as well', async () => {
  const claims = JSON.stringify({ userinfo: { sub: { values: ['grace'] } } });
  const other = await issuer.authorize(usualRequest({ auto: 'ada', claims }));
  expect(responseIn(other).get('error')).toBe('login_required');
  const right = await issuer.authorize(usualRequest({ auto: 'grace', claims }));
  expect(responseIn(right).has('code')).toBe(true);
});

test('a recovery code is valid once instead of the code of an app', async () => {
  const { oidc } = (await service.send('GET /api/auth')).json.credentials;
  const [first = '', second = ''] = oidc.users[2].recoveryCodes as string[];
  const enter = async (code: string) => {
    const { cookie, fields } = await loginPage(usualRequest());
    const right = { ...fields, username: 'alan', password: 'alan-secret' };
    const asked = await issuer.post('login', right, { cookie });
    expect(asked.text).toContain(first);
    return issuer.post('login', { ...fieldsOf(asked), code }, { cookie });
  };
  expect((await enter(first.toUpperCase())).text).not.toContain('The code is wrong');
  expect((await enter(first)).text).toContain('The code is wrong');
  const both = await Promise.all(Array.from({ length: 4 }, () => enter(second)));
  expect(both.filter(({ text }) => text.includes('The code is wrong'))).toHaveLength(3);
});
