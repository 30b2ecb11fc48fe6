/** The page of an issuer, its error pages, and the buttons of the demo users. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  cookiesOf,
  type Fields,
  fieldsOf,
  issuerAt,
  responseIn,
  usualRequest,
} from '../support/oidc.js';
import { useService } from '../support/service.js';

const service = useService();
const prefix = '/s/entrance';
const issuer = issuerAt(service, prefix);
const asBrowser = { accept: 'text/html,application/xhtml+xml' };

async function pageAt(path: string, query: Fields | string = '') {
  const text = new URLSearchParams(query).toString();
  const response = await fetch(`${service.url}${path}${text && '?'}${text}`, {
    headers: asBrowser,
  });
  return { response, status: response.status, text: await response.text() };
}

test.each(['/oidc', `${prefix}/oidc`, '/oidc?state=1'])(
  '%s is a page for browsers',
  async (path) => {
    const { response, status, text } = await pageAt(path);
    expect(status).toBe(200);
    expect(text).toContain('<h1>OpenID Connect</h1>');
    expect(response.headers.get('vary')).toContain('Accept');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
  },
);

test.each([
  ['/oidc', undefined],
  ['/oidc', '*/*'],
  [`${prefix}/oidc`, 'application/json'],
  ['/oidc', 'application/json, text/html;q=0.5'],
])('programs get the links of the issuer at %s with Accept: %s', async (path, accept) => {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const { status, json } = await service.send(`GET ${path}`, { headers });
  expect(status).toBe(200);
  expect(json.issuer).toBe(service.url + path);
  const { json: discovered } = await service.send(`GET ${new URL(json.discovery).pathname}`);
  expect([discovered.issuer, discovered.jwks_uri]).toEqual([json.issuer, json.keys]);
});

test('an issuer of a test run has the page too, and an unknown run does not', async () => {
  const { json: steps } = await service.send(`POST ${prefix}/oidc/test-plan/runs`);
  const { pathname } = new URL(steps[0].issuer);
  expect((await pageAt(pathname)).status).toBe(200);
  expect((await pageAt(pathname.replace(/runs\/[^/]+/, 'runs/none'))).status).toBe(404);
});

test('the page of an issuer is a redirect URI of demo-spa, and of no other client or issuer', async () => {
  const own = `${service.url}${prefix}/oidc`;
  const at = (fields: Fields) => issuer.authorize(usualRequest({ auto: 'ada', ...fields }));
  const response = await at({ client_id: 'demo-spa', redirect_uri: own });
  expect(response.headers.location).toContain(`${own}?code=`);
  const redeemed = await issuer.token(
    {
      grant_type: 'authorization_code',
      client_id: 'demo-spa',
      code: responseIn(response).get('code') ?? '',
      redirect_uri: own,
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    {},
  );
  expect(redeemed.status, redeemed.text).toBe(200);
  const others = [`${own}/`, `${own}?a=b`, `${service.url}/oidc`, `${service.url}/s/other/oidc`];
  for (const uri of others) {
    expect((await at({ client_id: 'demo-spa', redirect_uri: uri })).status, uri).toBe(400);
  }
  expect((await at({ client_id: 'demo-web', redirect_uri: own })).status).toBe(400);
  const logout = new URLSearchParams({
    id_token_hint: redeemed.json.id_token,
    post_logout_redirect_uri: own,
    state: 's',
  });
  const ended = await service.send(`GET ${prefix}/oidc/logout?${logout}`);
  expect(ended.headers.location).toBe(`${own}?state=s`);
});

test('a client of the settings named demo-spa has only its own redirect URIs', async () => {
  const sandbox = '/s/own-spa';
  const clients = [{ clientId: 'demo-spa', redirectUris: ['https://own.example/cb'] }];
  await service.send(`PUT ${sandbox}/api/sandbox/oidc`, { json: { clients } });
  const request = { client_id: 'demo-spa', redirect_uri: `${service.url}${sandbox}/oidc` };
  const { status } = await issuerAt(service, sandbox).authorize(usualRequest(request));
  expect(status).toBe(400);
});

test('a button logs in a demo user without a password, and the user name stays after a wrong one', async () => {
  const login = await issuer.authorize(usualRequest({ client_id: 'demo-native' }), asBrowser);
  const cookie = cookiesOf(login);
  const fields = fieldsOf(login);
  expect(login.text).toContain('name="as" value="grace"');
  const wrong = await issuer.post(
    'login',
    { ...fields, username: 'a"<b>', password: 'x' },
    { cookie },
  );
  expect(wrong.text).toContain('name="username" value="a&quot;&lt;b&gt;"');
  expect(wrong.text).not.toContain('value="x"');
  const long = { ...fields, username: 'x'.repeat(5000), password: 'x' };
  expect((await issuer.post('login', long, { cookie })).text).not.toContain('x'.repeat(201));
  const unknown = await issuer.post('login', { ...fields, as: 'unknown' }, { cookie });
  expect(unknown.text).toContain('The user name or the password is wrong.');
  const consent = await issuer.post('login', { ...fields, as: 'grace' }, { cookie });
  expect(consent.text).toContain('You are <strong>grace</strong>');
  const second = await issuer.post('login', { ...fields, as: 'alan' }, { cookie });
  expect(second.text).toContain('<h1>Second factor</h1>');
  const stolen = await issuer.post('login', { ...fields, as: 'grace' });
  expect(stolen.status).toBe(403);
});

/** The suggestions of a page: the text, and the query of the link. */
function suggestionsIn(page: string): Record<string, URLSearchParams> {
  const links = page.matchAll(/<a href="\?([^"]*)"><code>([^<]*)<\/code>/g);
  return Object.fromEntries(
    [...links].map(([, query = '', text = '']) => [
      text,
      new URLSearchParams(query.replaceAll('&amp;', '&')),
    ]),
  );
}

const mistakes: readonly (readonly [Fields, string])[] = [
  [{ client_id: 'demo-sap' }, 'demo-spa'],
  [{ client_id: 'Demo_Web' }, 'demo-web'],
  [
    { client_id: 'demo-web', redirect_uri: 'http://localhost:8080/signin' },
    'http://localhost:8080/callback',
  ],
  [
    { client_id: 'demo-web', redirect_uri: 'https://client.example/cb' },
    'https://client.example/callback',
  ],
  [{ client_id: 'none', scope: 'openid profil' }, 'openid profile'],
  [{ client_id: '', clientid: 'demo-web' }, 'client_id'],
  [{ redirect_uri: '', redirect_url: 'http://localhost/callback' }, 'redirect_uri'],
];

test.each(mistakes)('the error page of %j suggests %s', async (mistake, meant) => {
  const { status, text } = await pageAt(`${prefix}/oidc/authorize`, usualRequest(mistake));
  expect(status).toBe(400);
  const { [meant]: query } = suggestionsIn(text);
  expect(query, text).toBeDefined();
  expect(text).toContain('href="../guides/oidc#what-each-failure-means"');
  expect(text).toContain('href="../oidc"');
});

test('the link of a suggestion repeats the request with it', async () => {
  const path = `${prefix}/oidc/authorize`;
  const { text } = await pageAt(path, usualRequest({ client_id: 'demo-wob' }));
  const query = suggestionsIn(text)['demo-web'] ?? '';
  expect((await pageAt(path, query.toString())).status).toBe(200);
});

test('a scope that is similar to a known one is suggested to the client, too', async () => {
  const { headers } = await issuer.authorize(usualRequest({ scope: 'Openid proflie' }));
  const { searchParams } = new URL(headers.location ?? '');
  expect(searchParams.get('error_description')).toContain('Did you mean openid profile?');
});

test.each([
  ['a named sandbox', '/s/registers', 'my-app'],
  ['the shared sandbox', '', 'my app'],
])('the command of the page registers an unknown client in %s', async (_place, at, id) => {
  const redirect = "https://app.example/cb?it's";
  const request = usualRequest({ client_id: id, redirect_uri: redirect });
  const { text } = await pageAt(`${at}/oidc/authorize`, request);
  const [, found = ''] = /<code>(curl .*?)<\/code>/s.exec(text) ?? [];
  const command = found.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s`]);
  const registered = JSON.parse(stdout);
  const clientId = registered.client_id ?? registered.clients[0].clientId;
  if (at !== '') expect(clientId).toBe(id);
  const again = await issuerAt(service, at).authorize({
    ...request,
    client_id: clientId,
    auto: 'ada',
  });
  expect(again.headers.location).toContain(`${redirect}&code=`);
});

test('a command never replaces settings', async () => {
  await service.send('PUT /s/settled/api/sandbox/oidc', { json: { scopes: ['api.read'] } });
  const { text } = await pageAt('/s/settled/oidc/authorize', usualRequest({ client_id: 'my-app' }));
  expect(text).not.toContain('-X PUT');
  expect(text).toContain('/s/settled/oidc/register');
});

test.each([
  ['authorize', { client_id: '<script>', redirect_uri: 'javascript:alert(1)' }],
  [
    'authorize',
    { client_id: "a'; rm -rf /", redirect_uri: `https://a.example/${'x'.repeat(2000)}` },
  ],
  ['authorize', { client_id: 'x'.repeat(5000) }],
  ['authorize', { scope: 'opnid '.repeat(500), client_id: 'unknown' }],
  ['logout', { client_id: 'demo-sap', post_logout_redirect_uri: '"><img>' }],
  ['device', { user_code: '<b>' }],
])('hostile input to %s is escaped: %j', async (part, query) => {
  const { status, text } = await pageAt(`${prefix}/oidc/${part}`, query as Fields);
  expect(status).toBe(400);
  expect(text).not.toMatch(/<script|<img|<b>/);
  expect(text).toContain('guides/oidc#what-each-failure-means');
});

test('repeated parameters get a page without suggestions', async () => {
  const { status, text } = await pageAt('/oidc/authorize', 'client_id=a&client_id=b');
  expect(status).toBe(400);
  expect(text).toContain('is repeated');
  expect(text).not.toContain('Did you mean');
});
