/** Redirect URIs on other hosts, and the page that shows how to register one. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { basicHeader } from '../support/demo-credentials.js';
import { testsWith } from '../support/foreign-program.js';
import { asWeb, type Fields, issuerAt, responseIn, usualRequest } from '../support/oidc.js';
import { useService } from '../support/service.js';

const service = useService();
const asBrowser = { accept: 'text/html,application/xhtml+xml' };
const prefix = '/s/addresses';
const issuer = issuerAt(service, prefix);
const docker = 'http://client.docker:5050/cb';

/** Not with the tests' own sender, which expects failures as JSON. */
async function pageAt(path: string, query: Fields) {
  const url = `${service.url}${path}?${new URLSearchParams(query)}`;
  const response = await fetch(url, { headers: asBrowser });
  return { status: response.status, text: await response.text() };
}

const asPage = (fields: Fields, at = prefix) =>
  pageAt(`${at}/oidc/authorize`, usualRequest(fields));

/** The command on the page, as a user copies it. */
function commandIn(page: string): string {
  const [, command = ''] = /<code>(curl .*?)<\/code>/s.exec(page) ?? [];
  return command
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

test.each([
  docker,
  'http://my_app.internal/signin-oidc',
  'http://192.168.1.20:8080/cb',
  'http://[fd00::1]:8080/cb',
])('a client with credentials of a named sandbox may use %s', async (address) => {
  const { status, json: client } = await issuer.register({
    redirect_uris: [address],
    post_logout_redirect_uris: [address],
    frontchannel_logout_uri: address,
  });
  expect(status, JSON.stringify(client)).toBe(201);
  const request = usualRequest({ client_id: client.client_id, redirect_uri: address });
  const response = await issuer.authorize({ ...request, auto: 'ada' });
  expect(response.headers.location).toContain(`${address}?code=`);
  const page = await issuer.authorize(request, asBrowser);
  expect(page.headers['content-security-policy']).toContain(new URL(address).origin);
  const headers = { Authorization: basicHeader(client.client_id, client.client_secret) };
  const code = responseIn(response).get('code') ?? '';
  expect((await issuer.redeem(code, { redirect_uri: address }, headers)).status).toBe(200);
  // The port must match: only this machine may use any port.
  const other = address.replace(/(:\d+)?\/(?=cb|signin)/, ':99/');
  expect((await issuer.authorize({ ...request, redirect_uri: other })).status).toBe(400);
});

test.each([
  ['the shared sandbox', '', {}],
  ['a public client', prefix, { token_endpoint_auth_method: 'none' }],
])('%s cannot use plain http on other machines', async (_name, at, more) => {
  const { status, json } = await issuerAt(service, at).register({
    redirect_uris: [docker],
    ...more,
  });
  expect(status).toBe(400);
  expect(json.error).toBe('invalid_redirect_uri');
  expect(json.error_description).toContain('In a named sandbox');
});

testsWith('curl').test.each([
  'http://localhost:3000/signin-oidc',
  'https://app.example/cb?a=1&b=2',
  "https://app.example/o'neill/$HOME/`id`",
  'https://app.example/<b>"x"',
  docker,
])('the page for %s has a command that registers it', async (address) => {
  const page = await asPage({ redirect_uri: address });
  expect(page.status).toBe(400);
  expect(page.text).not.toContain('<b>');
  expect(page.text).toContain('Any port of localhost, 127.0.0.1 and [::1] is fine.');
  const command = commandIn(page.text);
  expect(command).toMatch(`${service.url}${prefix}/oidc/register`);
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `${command.replace('curl', 'curl -s')}`,
  ]);
  const client = JSON.parse(stdout);
  expect(client.redirect_uris).toEqual([address]);
  const request = { client_id: client.client_id, redirect_uri: address, auto: 'ada' };
  expect(responseIn(await issuer.authorize(usualRequest(request))).has('code')).toBe(true);
});

test('a public client gets a command for a public client', async () => {
  const page = await asPage({ client_id: 'demo-spa', redirect_uri: 'https://app.example/cb' });
  expect(commandIn(page.text)).toContain('"token_endpoint_auth_method":"none"');
  const plain = await asPage({ client_id: 'demo-spa', redirect_uri: docker });
  expect(commandIn(plain.text)).toBe('');
  expect(plain.text).toContain('clients with credentials may use http on any host');
});

test('in the shared sandbox the command for http of another machine names a sandbox', async () => {
  const page = await asPage({ redirect_uri: docker }, '');
  expect(commandIn(page.text)).toContain(`${service.url}/s/my-sandbox/oidc/register`);
  const usual = await asPage({ redirect_uri: 'https://a.example/' }, '');
  expect(commandIn(usual.text)).toContain(`${service.url}/oidc/register`);
});

test.each([
  ['a fragment', 'https://app.example/#x'],
  ['no URL', 'callback'],
  ['a script', 'javascript:alert(1)'],
  ['a host with a semicolon', 'https://a;b/'],
  ['a long one', `https://app.example/${'x'.repeat(500)}`],
])(
  'an address that cannot be registered gets a reason instead of a command: %s',
  async (_name, address) => {
    const page = await asPage({ redirect_uri: address });
    expect(page.status).toBe(400);
    expect(commandIn(page.text)).toBe('');
    expect(page.text).toContain('redirect_uris must');
  },
);

test('programs get the advice as JSON, also after a logout', async () => {
  const { json } = await issuer.authorize(usualRequest({ redirect_uri: docker }));
  expect(json.error_description).toContain('Register yours with POST /oidc/register');
  const target = 'https://app.example/bye';
  const query = { client_id: 'demo-web', post_logout_redirect_uri: target };
  const out = await pageAt(`${prefix}/oidc/logout`, query);
  expect(out.status).toBe(400);
  const [, body = ''] = /-d '(.*)'$/.exec(commandIn(out.text)) ?? [];
  expect(JSON.parse(body).post_logout_redirect_uris).toEqual([target]);
  const { status } = await issuer.register(JSON.parse(body));
  expect(status).toBe(201);
});

test.each([
  'http://localhost:99999/callback',
  'http://127.0.0.1:65536/callback',
  'http://[::1]:100000/callback',
  'http://localhost:-1/callback',
  'http://localhost:8o8o/callback',
])('%s is rejected wherever it is sent', async (address) => {
  const request = usualRequest({ redirect_uri: address });
  const target = new URLSearchParams({ client_id: 'demo-web', post_logout_redirect_uri: address });
  const settings = { clients: [{ clientId: 'c', redirectUris: [address] }] };
  const responses = [
    await issuer.authorize(request),
    await issuer.post('authorize', request),
    await issuer.post('par', request, asWeb),
    await issuer.redeem(await issuer.code(), { redirect_uri: address }),
    await issuer.register({ redirect_uris: [address] }),
    await service.send(`GET ${prefix}/oidc/logout?${target}`),
    await service.send(`PUT ${prefix}/api/sandbox/oidc`, { json: settings }),
  ];
  expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(400));
});

test.each([
  'https://a;b/',
  'https://a,b/',
  'https://*/',
  'https://*.a.example/',
  "https://'self'/",
])('no page has %s in its policy', async (address) => {
  const clients = [{ clientId: 'c', clientSecret: 's', redirectUris: [address] }];
  expect((await service.send(`PUT ${prefix}/api/sandbox/oidc`, { json: { clients } })).status).toBe(
    400,
  );
  for (const member of ['redirect_uris', 'post_logout_redirect_uris']) {
    const metadata = { redirect_uris: ['https://a.example/'], [member]: [address] };
    expect((await issuer.register(metadata)).status).toBe(400);
  }
  const { text } = await asPage({ redirect_uri: address });
  expect(text).not.toContain(`<a href="${address}"`);
});
