/** Devices without a browser: RFC 8628. */

import { expect, test } from 'vitest';
import { totpAt } from '../../src/http/credentials/totp.js';
import { cookiesOf, type Fields, fieldsOf, useIssuer, without } from '../support/oidc.js';

const issuer = useIssuer('device');
const { service, prefix } = issuer;
const asDevice = { client_id: 'demo-device' };
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

async function begin(more: Fields = {}) {
  const scope = 'openid profile offline_access';
  const { status, json } = await issuer.post('device_authorization', {
    ...asDevice,
    scope,
    ...more,
  });
  expect(status).toBe(200);
  return json as Readonly<Record<'device_code' | 'user_code', string>>;
}

const poll = (device_code: string, more: Fields = {}) =>
  issuer.token({ grant_type, device_code, ...asDevice, ...more }, {});
const visit = (query: Fields = {}, headers: Fields = {}) =>
  service.send(`GET ${prefix}/oidc/device?${new URLSearchParams(query)}`, { headers });

test('a device gets two codes, and the URL where the user types one of them', async () => {
  const { headers, json } = await issuer.post('device_authorization', asDevice);
  expect(headers['cache-control']).toBe('no-store');
  expect(json).toEqual({
    device_code: expect.stringMatching(/^odc_[\w-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJ-NP-TV-XZ]{4}-[BCDFGHJ-NP-TV-XZ]{4}$/),
    verification_uri: `${service.url}${prefix}/oidc/device`,
    verification_uri_complete: `${service.url}${prefix}/oidc/device?user_code=${json.user_code}`,
    expires_in: 600,
    interval: 5,
  });
});

test('a device that polls too soon has to wait five seconds more each time', async () => {
  const { device_code: code } = await begin();
  const at = async (seconds: number) => {
    await issuer.setClock(seconds);
    return (await poll(code)).json.error;
  };
  expect(await at(0)).toBe('authorization_pending');
  expect(await at(1)).toBe('slow_down');
  expect(await at(8)).toBe('slow_down');
  expect(await at(25)).toBe('authorization_pending');
  expect(await at(600)).toBe('expired_token');
  await issuer.setClock(0);
});

test('with auto a device is allowed without a page, once', async () => {
  const { device_code: code, user_code } = await begin();
  const typed = user_code.toLowerCase().replace('-', ' ');
  const page = await visit({ user_code: typed, auto: 'ada' });
  expect(page.text).toContain('<h1>The device is connected</h1>');
  const { status, json } = await poll(code);
  expect(status).toBe(200);
  expect(json).toMatchObject({ scope: 'openid profile offline_access', token_type: 'Bearer' });
  expect((await issuer.get('userinfo', json.access_token)).json.name).toBe('Ada Lovelace');
  expect(json.id_token).toBeTruthy();
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token, ...asDevice };
  expect((await issuer.token(refresh, {})).status).toBe(200);
  expect((await poll(code)).json.error).toBe('invalid_grant');
  expect((await visit({ user_code, auto: 'ada' })).status).toBe(400);
});

test('of many requests with one allowed code one gets tokens', async () => {
  const { device_code: code, user_code } = await begin();
  await visit({ user_code, auto: 'ada' });
  const responses = await Promise.all(Array.from({ length: 8 }, () => poll(code)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a user logs in, sees the code, and allows the device', async () => {
  expect((await visit()).text).toContain('name="user_code"');
  const { device_code: code, user_code } = await begin();
  const login = await visit({ user_code });
  expect(login.text).toContain('<h1>Log in</h1>');
  expect(login.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  const cookie = cookiesOf(login);
  const wrong = await issuer.post(
    'device_answer',
    { ...fieldsOf(login), username: 'ada', password: 'x' },
    { cookie },
  );
  expect(wrong.text).toContain('The user name or the password is wrong.');
  const right = { ...fieldsOf(login), username: 'ada', password: 'ada-secret' };
  const consent = await issuer.post('device_answer', right, { cookie });
  expect(consent.text).toContain('<h1>Allow this?</h1>');
  expect(consent.text).toContain(user_code);
  const jar = `${cookie}; ${cookiesOf(consent)}`;
  const done = await issuer.post(
    'device_answer',
    { ...fieldsOf(consent), answer: 'allow' },
    { cookie: jar },
  );
  expect(done.text).toContain('The device is connected');
  expect((await poll(code)).status).toBe(200);
  const next = await begin();
  const known = await visit({ user_code: next.user_code }, { cookie: jar });
  expect(known.text).toContain('<h1>Allow this?</h1>');
  const denied = await issuer.post(
    'device_answer',
    { ...fieldsOf(known), answer: 'deny' },
    { cookie: jar },
  );
  expect(denied.text).toContain('The device was denied');
  expect((await poll(next.device_code)).json.error).toBe('access_denied');
});

test('a user may cancel, and a second factor is required', async () => {
  const first = await begin();
  const login = await visit({ user_code: first.user_code });
  await issuer.post(
    'device_answer',
    { ...fieldsOf(login), cancel: 'yes' },
    { cookie: cookiesOf(login) },
  );
  expect((await poll(first.device_code)).json.error).toBe('access_denied');
  const { user_code } = await begin();
  const page = await visit({ user_code });
  const cookie = cookiesOf(page);
  const alan = { ...fieldsOf(page), username: 'alan', password: 'alan-secret' };
  const asked = await issuer.post('device_answer', alan, { cookie });
  expect(asked.text).toContain('<h1>Second factor</h1>');
  const { now } = (await service.send(`GET ${prefix}/api/sandbox/clock`)).json;
  const code = totpAt('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', Date.parse(now));
  const done = await issuer.post('device_answer', { ...fieldsOf(asked), code }, { cookie });
  expect(done.text).toContain('<h1>Allow this?</h1>');
});

test('forms of other browsers and of other codes are rejected', async () => {
  const { user_code } = await begin();
  const login = await visit({ user_code });
  const cookie = cookiesOf(login);
  const right: Fields = { ...fieldsOf(login), username: 'ada', password: 'ada-secret' };
  const other = await begin();
  const stranger = cookiesOf(await visit({ user_code: other.user_code }));
  for (const [fields, jar] of [
    [right, ''],
    [right, stranger],
    [{ ...right, request: other.user_code }, cookie],
    [without(right, 'csrf'), cookie],
    [{ ...fieldsOf(login), answer: 'allow' }, cookie],
  ] as const) {
    expect((await issuer.post('device_answer', fields, { cookie: jar })).status).toBe(403);
  }
});

test.each<[name: string, fields: Fields, status: number, error: string]>([
  ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
  ['a client of other grants', { client_id: 'demo-spa' }, 400, 'unauthorized_client'],
  ['an unknown scope', { scope: 'all' }, 400, 'invalid_scope'],
  ['an unknown resource', { resource: 'https://x/' }, 400, 'invalid_target'],
])('%s gets no codes', async (_name, fields, status, error) => {
  const response = await issuer.post('device_authorization', { ...asDevice, ...fields });
  expect(response.status).toBe(status);
  expect(response.json.error).toBe(error);
});

test('unknown codes are rejected, for devices and for users', async () => {
  expect((await poll('odc_unknown')).json.error).toBe('invalid_grant');
  expect((await poll('')).json.error).toBe('invalid_request');
  for (const query of [{ user_code: '<script>' }, { user_code: 'BBBB-BBBB', auto: 'ada' }]) {
    const page = await visit(query);
    expect(page.status).toBe(400);
    expect(page.json.error).toBe('invalid_request');
  }
  const { user_code } = await begin();
  expect((await visit({ user_code, auto: 'nobody' })).json.message).toContain('ada, grace, alan');
  const page = await fetch(`${service.url}${prefix}/oidc/device?user_code=%3Cscript%3E`, {
    headers: { Accept: 'text/html' },
  });
  expect(page.status).toBe(400);
  expect(await page.text()).not.toContain('<script>');
});
