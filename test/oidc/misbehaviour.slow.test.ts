import { createHmac, createPublicKey } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { misbehaviourNames } from '../../src/areas/oidc/misbehaviour/misbehaviours.js';
import {
  asService,
  asWeb,
  type Fields,
  issuerAt,
  responseIn,
  usualRequest,
} from '../support/oidc.js';
import { type HttpResponse, useService } from '../support/service.js';

const service = useService();
const { send } = service;

const pathOf = (issuer: string) => new URL(issuer).pathname.replace(/\/oidc$/, '');
const set = (sandbox: string, misbehave: string | null) =>
  send(`PUT /s/${sandbox}/api/sandbox/oidc`, { json: { misbehave } });

interface Step {
  readonly name: string;
  readonly issuer: string;
  readonly outcome: string;
}

async function beginRun(prefix = ''): Promise<{ path: string; steps: Step[] }> {
  const { status, headers, json } = await send(`POST ${prefix}/oidc/test-plan/runs`);
  expect(status).toBe(201);
  return { path: new URL(headers.location ?? '').pathname, steps: json };
}

test('the plan describes every misbehaviour, and what a correct client does', async () => {
  const { status, json } = await send('GET /oidc/test-plan');
  expect(status).toBe(200);
  expect(json.map(({ name }: Step) => name)).toEqual(misbehaviourNames);
  for (const each of json) {
    expect(each).toMatchObject({ what: expect.any(String), rightClient: expect.any(String) });
    expect(each.expected === 'accepted', each.name).toBe(each.kind === 'tolerance');
  }
  const optional = json.filter((each: object) => 'optionalBecause' in each);
  const names = optional.map(({ name }: Step) => name);
  expect(names).toEqual(
    expect.arrayContaining(['foreign-key', 'wrong-at-hash', 'issued-in-future']),
  );
});

test('a step has a separate issuer, in a browser too, and other steps are unaffected', async () => {
  const { steps } = await beginRun('/s/own');
  const { issuer } = steps.find(({ name }) => name === 'wrong-iss') as Step;
  const { json } = await send(`GET ${new URL(issuer).pathname}/.well-known/openid-configuration`);
  expect(json.issuer).toBe(issuer);
  for (const [name, value] of Object.entries(json)) {
    if (/_(?:endpoint|uri)$/.test(name)) expect(value).toMatch(`${issuer}/`);
  }
  const { host, pathname } = new URL(issuer);
  const standard = await send(`GET /.well-known/oauth-authorization-server${pathname}`, {
    headers: { Host: host },
  });
  expect(standard.json).toEqual(json);
  const { headers } = await send(`GET ${pathname}/api/me`);
  const metadata = /resource_metadata="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1] ?? '';
  const described = await send(`GET ${new URL(metadata).pathname}`);
  expect(described.json.authorization_servers).toEqual([issuer]);
  const page = await issuerAt(service, pathOf(issuer)).authorize(usualRequest());
  expect(page.text).toContain('action="login"');
  const ordinary = await send('GET /s/own/oidc/.well-known/openid-configuration');
  expect(ordinary.json.issuer).toBe(`${service.url}/s/own/oidc`);
});

test('a client can report unobservable results, and observations take precedence', async () => {
  const { path, steps } = await beginRun('/s/told');
  const issuer = issuerAt(service, pathOf(steps[0]?.issuer ?? ''));
  const report = (outcome: string) => send(`PUT ${path}/wrong-iss`, { json: { outcome } });
  expect((await report('accepted')).json.outcome).toBe('not-reached');
  const { json } = await issuer.redeem(await issuer.code());
  expect((await report('refused')).json).toMatchObject({ name: 'wrong-iss', outcome: 'refused' });
  expect((await report('accepted')).json.outcome).toBe('accepted');
  await report('refused');
  // A client may read userinfo while it validates the ID token.
  await issuer.get('userinfo', json.access_token);
  const first = async () => (await send(`GET ${path}`)).json[0];
  expect(await first()).toMatchObject({
    ...{ outcome: 'refused', observed: 'accepted', reported: 'refused' },
    verdict: { outcome: 'kept' },
  });
  await issuer.get('api/me', json.access_token);
  expect(await first()).toMatchObject({ outcome: 'accepted', verdict: { outcome: 'broken' } });
  expect((await report('maybe')).status).toBe(400);
});

test('a client that needs only the login is not blamed, until a test reports that it rejected', async () => {
  const { path, steps } = await beginRun('/s/only-login');
  const { issuer: url = '' } = steps.find(({ name }) => name === 'no-typ') ?? {};
  const issuer = issuerAt(service, pathOf(url));
  await issuer.redeem(await issuer.code());
  const step = async () =>
    (await send(`GET ${path}`)).json.find(({ name }: Step) => name === 'no-typ');
  expect(await step()).toMatchObject({ outcome: 'refused', verdict: { outcome: 'unclear' } });
  for (const [outcome, judged] of [
    ['accepted', 'kept'],
    ['refused', 'broken'],
  ]) {
    await send(`PUT ${path}/no-typ`, { json: { outcome } });
    expect(await step()).toMatchObject({
      ...{ outcome, observed: 'refused', reported: outcome },
      verdict: { outcome: judged, level: 'must' },
    });
  }
});

test('runs belong to their sandbox, and are deleted after a day or with its reset', async () => {
  const { path } = await beginRun('/s/ends');
  const inOther = path.replace('/s/ends', '/s/other');
  expect((await send(`GET ${inOther}`)).status).toBe(404);
  expect((await send(`GET ${path}/wrong-iss/oidc/jwks`)).status).toBe(200);
  const strange = await send(`GET ${path}/wrong-everything/oidc/jwks`);
  expect(strange.status).toBe(404);
  expect(strange.json.message).toContain('wrong-iss');
  expect(
    (await send(`PUT ${path}/wrong-everything`, { json: { outcome: 'refused' } })).status,
  ).toBe(404);
  await send('PUT /s/ends/api/sandbox/clock', { json: { offsetSeconds: 24 * 3600 } });
  expect((await send(`GET ${path}`)).status).toBe(404);
  expect((await send(`GET ${path}/wrong-iss/oidc/jwks`)).status).toBe(404);
});

const keysOf = async (prefix: string) => (await send(`GET ${prefix}/oidc/jwks`)).json;

async function idTokenOf(prefix: string, more: Fields = {}, atToken: Fields = {}): Promise<string> {
  const issuer = issuerAt(service, prefix);
  const { json } = await issuer.redeem(await issuer.code({ nonce: 'n', ...more }), atToken);
  return json.id_token;
}

test.each<[string, (claims: Record<string, unknown>) => void]>([
  ['wrong-iss', ({ iss }) => expect(iss).not.toContain(service.url)],
  ['neighbour-iss', ({ iss }) => expect(iss).toBe(`${service.url}/oidc/neighbour`)],
  ['slash-iss', ({ iss }) => expect(iss).toBe(`${service.url}/oidc/`)],
  ['wrong-aud', ({ aud }) => expect(aud).toBe('another-client')],
  [
    'extra-aud',
    ({ aud, azp }) =>
      expect([aud, azp]).toEqual([['demo-web', 'another-client'], 'another-client']),
  ],
  ['wrong-nonce', ({ nonce }) => expect(nonce).not.toBe('n')],
  ['missing-nonce', (claims) => expect(claims).not.toHaveProperty('nonce')],
  ['expired-id-token', ({ exp }) => expect(exp).toBeLessThan(Date.now() / 1000 - 3000)],
  ['issued-in-future', ({ iat }) => expect(iat).toBeGreaterThan(Date.now() / 1000 + 80_000)],
])('misbehave=%s in the shared sandbox applies only to that request', async (misbehave, check) => {
  check(decodeJwt(await idTokenOf('', { misbehave })));
  check(decodeJwt(await idTokenOf('', {}, { misbehave })));
  expect(decodeJwt(await idTokenOf(''))).toMatchObject({ nonce: 'n', aud: 'demo-web' });
});

test.each<[name: string, first: (misbehave: string) => Promise<HttpResponse>]>([
  ['in a plain request', (misbehave) => authorizing(usualRequest({ nonce: 'n', misbehave }))],
  ['beside a pushed one', async (misbehave) => authorizing({ ...(await pushed()), misbehave })],
  ['in a pushed one', async (misbehave) => authorizing(await pushed({ misbehave }))],
])('misbehave applies to all pages of a login: %s', async (_name, first) => {
  const issuer = issuerAt(service, '/s/pages');
  const wrongState = await issuer.throughPages(await first('wrong-state'), 'grace');
  expect(responseIn(wrongState).get('state')).not.toBe('xyz');
  await send('DELETE /s/pages/api/sandbox');
  const wrongAud = responseIn(await issuer.throughPages(await first('wrong-aud'), 'grace'));
  const { json } = await issuer.redeem(wrongAud.get('code') ?? '');
  expect(decodeJwt(json.id_token)).toMatchObject({ aud: 'another-client', nonce: 'n' });
  await send('DELETE /s/pages/api/sandbox');
});

const authorizing = (fields: Fields) => issuerAt(service, '/s/pages').authorize(fields);

async function pushed(more: Fields = {}): Promise<Fields> {
  const request = usualRequest({ nonce: 'n', ...more });
  const { json } = await issuerAt(service, '/s/pages').post('par', request, asWeb);
  return { client_id: 'demo-web', request_uri: json.request_uri };
}

test('an ID token is signed by everything except the right key', async () => {
  const keys = await keysOf('');
  const [{ kid: known, ...jwk }] = keys.keys;
  const parts = async (misbehave: string) => {
    const token = await idTokenOf('', { misbehave });
    const [text = '', signature = ''] = [
      token.slice(0, token.lastIndexOf('.')),
      token.split('.')[2],
    ];
    await expect(jwtVerify(token, createLocalJWKSet(keys))).rejects.toThrow();
    return { header: decodeProtectedHeader(token), text, signature };
  };
  expect(await parts('alg-none')).toMatchObject({ header: { alg: 'none' }, signature: '' });
  const missing = await parts('missing-signature');
  expect(missing).toMatchObject({ header: { alg: 'RS256', kid: known }, signature: '' });
  expect((await parts('foreign-key')).header).toMatchObject({ alg: 'RS256', kid: known });
  expect((await parts('unknown-kid')).header.kid).not.toBe(known);
  const confused = await parts('hs256-public-key');
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
  const mac = createHmac('sha256', pem).update(confused.text).digest('base64url');
  expect(confused).toMatchObject({ header: { alg: 'HS256' }, signature: mac });
});

test('the settings of a sandbox make its whole issuer misbehave, until they are null', async () => {
  await set('whole', 'duplicate-kid');
  const { keys } = await keysOf('/s/whole');
  expect(keys).toHaveLength(6);
  expect(keys[0].kid).toBe(keys[3].kid);
  expect(keys[0].n).not.toBe(keys[3].n);
  await set('whole', 'discovery-other-issuer');
  const discovery = 'GET /s/whole/oidc/.well-known/openid-configuration';
  expect((await send(discovery)).json.issuer).toContain('other-issuer');
  await set('whole', 'wrong-aud');
  expect(decodeJwt(await idTokenOf('/s/whole')).aud).toBe('another-client');
  expect(decodeJwt(await idTokenOf('/s/whole', { misbehave: 'wrong-iss' })).aud).toBe('demo-web');
  await set('whole', null);
  expect((await send(discovery)).json.issuer).toBe(`${service.url}/s/whole/oidc`);
  expect(decodeJwt(await idTokenOf('/s/whole')).aud).toBe('demo-web');
});

test('each response to the browser has one error', async () => {
  const issuer = issuerAt(service, '');
  const ask = (misbehave: string) => issuer.authorize(usualRequest({ auto: 'ada', misbehave }));
  expect(responseIn(await ask('wrong-state')).get('state')).not.toBe('xyz');
  expect(responseIn(await ask('wrong-response-iss')).get('iss')).toContain('other-issuer');
  const lacking = responseIn(await ask('missing-response-iss'));
  expect([...lacking.keys()]).toEqual(['code', 'state']);
  expect((await ask('redirect-near-miss')).headers.location).toContain('/callback/near-miss?code=');
});

test('a foreign code is stopped by PKCE, and without it by the nonce', async () => {
  const issuer = issuerAt(service, '');
  const injected = await issuer.redeem(await issuer.code({ misbehave: 'foreign-code' }));
  expect(injected.json.error_description).toContain('code_verifier');
  const bare = usualRequest({ auto: 'ada', nonce: 'n', misbehave: 'foreign-code' });
  const { code_challenge: _c, code_challenge_method: _m, ...withoutPkce } = bare;
  const code = responseIn(await issuer.authorize(withoutPkce)).get('code') ?? '';
  const { json } = await issuer.redeem(code, { code_verifier: '' });
  expect(decodeJwt(json.id_token)).toMatchObject({
    sub: 'grace',
    nonce: expect.stringContaining('other'),
  });
  const unchecked = decodeJwt(await idTokenOf('', { misbehave: 'pkce-unchecked' }));
  expect(unchecked.nonce).not.toBe('n');
  const wrong = { code_verifier: 'x'.repeat(43), misbehave: 'pkce-unchecked' };
  expect((await issuer.redeem(await issuer.code(), wrong)).status).toBe(200);
});

test('the token endpoint fails, responds in HTML, adds members, or never rotates', async () => {
  const issuer = issuerAt(service, '');
  const failing = await issuer.redeem(await issuer.code(), { misbehave: 'failing' });
  expect(failing.status).toBe(503);
  expect(failing.headers['retry-after']).toBe('1');
  expect(failing.json.error).toBe('temporarily_unavailable');
  const page = await issuer.redeem(await issuer.code({ misbehave: 'html-errors' }));
  expect(page.status).toBe(502);
  expect(page.headers['content-type']).toContain('text/html');
  const more = await issuer.redeem(await issuer.code(), { misbehave: 'unknown-members' });
  expect(more.json).toMatchObject({ x_unknown: null, token_type: 'Bearer' });
  const about = await issuer.get('userinfo', more.json.access_token);
  expect(about.json).toMatchObject({ sub: 'ada', x_unknown: null });
  const scope = 'openid offline_access';
  const { json } = await issuer.redeem(
    await issuer.code({ scope, misbehave: 'refresh-not-rotated' }),
  );
  const refreshing = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  for (const _twice of [1, 2]) {
    expect((await issuer.token(refreshing)).json.refresh_token).toBe(json.refresh_token);
  }
});

test('a planned temporary failure leaves the code valid', async () => {
  const issuer = issuerAt(service, '/s/while');
  await set('while', 'failing');
  const code = await issuer.code();
  expect((await issuer.redeem(code)).status).toBe(503);
  await set('while', null);
  expect((await issuer.redeem(code)).status).toBe(200);
});

test('userinfo is about another user', async () => {
  const issuer = issuerAt(service, '');
  const { json } = await issuer.redeem(await issuer.code({ misbehave: 'userinfo-sub' }));
  expect((await issuer.get('userinfo', json.access_token)).json.sub).toBe('grace');
});

test.each<[string, (claims: Record<string, unknown>) => void]>([
  ['aud-array', ({ aud }) => expect(aud).toEqual(['demo-web'])],
  ['own-azp', ({ aud, azp }) => expect([aud, azp]).toEqual(['demo-web', 'demo-web'])],
  ['aud-array-own-azp', ({ aud, azp }) => expect([aud, azp]).toEqual([['demo-web'], 'demo-web'])],
  [
    'fraction-times',
    ({ iat, exp }) => expect([Number(iat) % 1, Number(exp) % 1]).toEqual([0.25, 0.25]),
  ],
  ['no-typ', ({ aud }) => expect(aud).toBe('demo-web')],
])('the ID token of %s is right, and its keys verify it', async (misbehave, check) => {
  const token = await idTokenOf('/s/tolerant', { misbehave });
  const keys = createLocalJWKSet(await keysOf('/s/tolerant'));
  const issuer = `${service.url}/s/tolerant/oidc`;
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: 'demo-web',
  });
  check(payload);
  expect(protectedHeader.typ).toBe(misbehave === 'no-typ' ? undefined : 'JWT');
  expect(payload).toMatchObject({ sub: 'ada', nonce: 'n' });
  const query = { id_token_hint: token, post_logout_redirect_uri: 'http://localhost:4711/' };
  const out = await send(`GET /s/tolerant/oidc/logout?${new URLSearchParams(query)}`);
  expect(out.status).toBe(303);
});

test('an access token is no id_token_hint', async () => {
  const issuer = issuerAt(service, '/s/tolerant');
  const { json } = await issuer.redeem(await issuer.code());
  const query = new URLSearchParams({ id_token_hint: json.access_token });
  expect((await send(`GET /s/tolerant/oidc/logout?${query}`)).status).toBe(400);
});

test('extra keys precede the right ones, whose kid is unique', async () => {
  await set('extra-keys', 'extra-keys');
  const { keys } = await keysOf('/s/extra-keys');
  expect(keys).toHaveLength(7);
  const kids = keys.flatMap(({ kid }: { kid?: string }) => kid ?? []);
  expect(new Set(kids).size).toBe(6);
  const token = await idTokenOf('/s/extra-keys');
  await jwtVerify(token, createLocalJWKSet({ keys }));
});

test.each([
  [
    'a code',
    async (at: ReturnType<typeof issuerAt>, more: Fields) => at.redeem(await at.code(), more),
  ],
  [
    'credentials',
    (at: ReturnType<typeof issuerAt>, more: Fields) =>
      at.token({ grant_type: 'client_credentials', ...more }, asService),
  ],
])('token responses for %s are right in other ways', async (_name, ask) => {
  const issuer = issuerAt(service, '');
  const lower = await ask(issuer, { misbehave: 'token-type-case' });
  expect(lower.json).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
  const endless = await ask(issuer, { misbehave: 'no-expires-in' });
  expect(endless.status).toBe(200);
  expect(endless.json).not.toHaveProperty('expires_in');
  expect(endless.json.token_type).toBe('Bearer');
});

test('a response to the browser has parameters that clients must ignore', async () => {
  const request = usualRequest({ auto: 'ada', misbehave: 'extra-parameters' });
  const response = responseIn(await issuerAt(service, '').authorize(request));
  expect(response.get('session_state')).toBe('1');
  expect(response.get('state')).toBe('xyz');
  expect(response.get('code')).toBeTruthy();
});

test('a client that stops at a tolerance case has not done what was expected', async () => {
  const { path, steps } = await beginRun('/s/strict');
  const { issuer } = steps.find(({ name }) => name === 'aud-array') as Step;
  const at = issuerAt(service, pathOf(issuer));
  await at.redeem(await at.code());
  const { json } = await send(`GET ${path}`);
  const step = json.find(({ name }: Step) => name === 'aud-array');
  expect(step).toMatchObject({ kind: 'tolerance', outcome: 'refused', expected: 'accepted' });
});
