/** Logout notifications to applications in frames: OpenID Connect Front-Channel Logout 1.0. */

import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { cookiesOf, redirectUri, responseIn, useIssuer, usualRequest } from '../support/oidc.js';

const issuer = useIssuer('front-channel');
const { service, prefix } = issuer;

const register = (json: object) => issuer.register({ token_endpoint_auth_method: 'none', ...json });

test('the page of a logout has a frame for each application of the session, and no other', async () => {
  const apps = [];
  for (const [host, needs] of [
    ['one.example', true],
    ['two.example', false],
    ['three.example', true],
  ] as const) {
    const { json } = await register({
      redirect_uris: [`https://${host}/callback`, redirectUri],
      post_logout_redirect_uris: [`https://${host}/bye`],
      frontchannel_logout_uri: `https://${host}/logout?a=b&c`,
      frontchannel_logout_session_required: needs,
    });
    expect(json.frontchannel_logout_uri).toBe(`https://${host}/logout?a=b&c`);
    apps.push(json.client_id as string);
  }
  const [first = '', second = ''] = apps;
  const begun = await issuer.authorize(usualRequest({ client_id: first, auto: 'ada' }));
  const cookie = cookiesOf(begun);
  const consented = { client_id: second, scope: 'openid profile' };
  await issuer.authorize(usualRequest({ ...consented, auto: 'ada' }));
  const also = await issuer.authorize(usualRequest(consented), { cookie });
  expect(responseIn(also).has('code')).toBe(true);
  const own = { client_id: first };
  const { json } = await issuer.redeem(responseIn(begun).get('code') ?? '', own, {});
  const query = new URLSearchParams({
    id_token_hint: json.id_token,
    post_logout_redirect_uri: 'https://one.example/bye',
  });
  const page = await service.send(`GET ${prefix}/oidc/logout?${query}`, { headers: { cookie } });
  expect(page.status).toBe(200);
  const frames = [...page.text.matchAll(/<iframe src="([^"]*)"/g)].map(([, src = '']) =>
    src.replaceAll('&amp;', '&'),
  );
  const about = new URLSearchParams({
    iss: `${service.url}${prefix}/oidc`,
    sid: String(decodeJwt(json.id_token).sid),
  });
  expect(frames.sort()).toEqual([
    `https://one.example/logout?a=b&c&${about}`,
    'https://two.example/logout?a=b&c',
  ]);
  const policy = page.headers['content-security-policy'];
  expect(policy).toMatch(
    /frame-src https:\/\/(?:one|two)\.example https:\/\/(?:one|two)\.example;/,
  );
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.text).toContain('href="https://one.example/bye"');
  expect(page.headers['set-cookie']?.[0]).toContain('Max-Age=0');
});

test.each<[name: string, uri: string]>([
  ['another origin', 'https://other.example/logout'],
  ['a script', 'javascript:alert(1)'],
  ['a fragment', 'https://app.example/logout#x'],
  ['a custom scheme', 'com.example.app:/logout'],
])('%s is rejected as a logout URI', async (_name, uri) => {
  const { status, json } = await register({
    redirect_uris: ['https://app.example/callback', 'com.example.app:/callback'],
    frontchannel_logout_uri: uri,
  });
  expect(status).toBe(400);
  expect(json.error).toBe('invalid_client_metadata');
});
