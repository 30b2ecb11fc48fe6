/**
 * Fifty requests for a single-use value: one succeeds, and a suspected theft revokes everything.
 */

import { expect, test } from 'vitest';
import { issuerAt } from '../support/oidc.js';
import { type HttpResponse, useService } from '../support/service.js';

const service = useService();
const issuer = issuerAt(service, '/s/many');
const offline = { scope: 'openid profile offline_access' };

const crowd = <Result>(send: () => Promise<Result>) =>
  Promise.all(Array.from({ length: 50 }, send));

async function expectOne(responses: readonly HttpResponse[]): Promise<void> {
  const [given, ...others] = responses.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const rejected = responses.filter((response) => response !== given);
  expect(new Set(rejected.map(({ json }) => json.error))).toEqual(new Set(['invalid_grant']));
  const { access_token: access, refresh_token } = given?.json ?? {};
  expect((await issuer.get('userinfo', access)).status).toBe(401);
  const next = await issuer.token({ grant_type: 'refresh_token', refresh_token });
  expect(next.json.error).toBe('invalid_grant');
}

test('of fifty exchanges of a code one succeeds, and its tokens are revoked', async () => {
  const code = await issuer.code(offline);
  await expectOne(await crowd(() => issuer.redeem(code)));
});

test('of fifty refreshes with a token one succeeds, and its family is revoked', async () => {
  const { json } = await issuer.redeem(await issuer.code(offline));
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  await expectOne(await crowd(() => issuer.token(refresh)));
  expect((await issuer.get('userinfo', json.access_token)).status).toBe(401);
});

test('of fifty rotations of keys one succeeds, and the others are rejected with the reason', async () => {
  const keys = async () => (await service.send('GET /s/many/oidc/jwks')).json.keys;
  const before = await keys();
  const rotated = await crowd(() => service.send('POST /s/many/oidc/keys/rotate'));
  const [given, ...others] = rotated.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const rejected = rotated.filter((response) => response !== given);
  expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([409]));
  const kids = given?.json.keys.slice(0, 3).map(({ kid }: { kid: string }) => kid);
  for (const { json } of rejected) expect(json.message).toContain(kids.join(', '));
  expect(await keys()).toEqual([...(given?.json.keys.slice(0, 3) ?? []), ...before]);
  expect((await service.send('POST /s/many/oidc/keys/rotate')).status).toBe(200);
});
