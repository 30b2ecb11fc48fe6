/** FAPI 2's requirements for pushed requests and DPoP, by the modules of the conformance suite. */

import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import { dpopKey } from '../support/dpop.js';
import {
  asService,
  asWeb,
  type Fields,
  redirectUri,
  responseIn,
  type useIssuer,
  usualRequest,
  without,
} from '../support/oidc.js';

type Key = ReturnType<typeof dpopKey>;

const fapi = 'fapi2-security-profile-final';

export function fapiModules(
  issuer: ReturnType<typeof useIssuer>,
): Readonly<Record<string, () => Promise<void>>> {
  const { service, prefix, issuerUrl } = issuer;
  const push = (fields: Fields, headers: Fields = asWeb) => issuer.post('par', fields, headers);
  const pushed = async (more: Fields = {}): Promise<string> =>
    (await push(usualRequest(more))).json.request_uri;
  const byUri = (request_uri: string, more: Fields = {}) =>
    issuer.authorize({ client_id: 'demo-web', request_uri, ...more });

  async function proved(key: Key, headers: Fields, claims: object = {}, part = 'token') {
    const url = `${issuerUrl()}/token`;
    const first = await issuer.token(
      { grant_type: 'client_credentials' },
      { ...asService, DPoP: await key.proof(`POST ${url}`) },
    );
    const nonce = first.headers['dpop-nonce'];
    return {
      ...headers,
      DPoP: await key.proof(`POST ${issuerUrl()}/${part}`, { nonce, ...claims }),
    };
  }

  const codeOf = async (uri: string) =>
    responseIn(await byUri(uri, { auto: 'ada' })).get('code') ?? '';

  async function pushedBy(key: Key, more: Fields = {}): Promise<string> {
    const { json } = await push(usualRequest(more), await proved(key, asWeb, {}, 'par'));
    return json.request_uri;
  }

  /** Sends a token that is bound to a key through each endpoint with a proof. */
  async function bound(more: Fields = {}, claims: object = {}) {
    const key = dpopKey();
    const headers = await proved(key, asWeb, claims, 'par');
    const { json: kept } = await push(usualRequest(more), headers);
    const code = await codeOf(kept.request_uri);
    const { status, json } = await issuer.redeem(code, {}, await proved(key, asWeb, claims));
    expect([status, json.token_type]).toEqual([200, 'DPoP']);
    return { key, token: json.access_token as string, refresh: json.refresh_token as string };
  }

  async function userinfo(token: string, key: Key, scheme = 'DPoP', claims: object = {}) {
    const { DPoP: some } = await proved(key, asWeb);
    const { nonce } = decodeJwt(some ?? '');
    const target = `GET ${issuerUrl()}/userinfo`;
    const DPoP = await key.proof(target, { nonce, ...claims }, token);
    const headers = { Authorization: `${scheme} ${token}`, DPoP };
    return service.send(`GET ${prefix}/oidc/userinfo`, { headers });
  }

  async function atSeconds(offset: number): Promise<void> {
    const claims = { iat: Math.floor(Date.now() / 1000) + offset };
    const { token, key } = await bound({}, claims);
    expect((await userinfo(token, key, 'DPoP', claims)).status).toBe(200);
  }

  return {
    [`${fapi}-par-attempt-reuse-request_uri`]: async () => {
      const uri = await pushed();
      expect((await byUri(uri, { auto: 'ada' })).status).toBe(303);
      expect((await byUri(uri, { auto: 'ada' })).json.error).toBe('invalid_request_uri');
    },
    [`${fapi}-par-attempt-to-use-expired-request_uri`]: async () => {
      const uri = await pushed();
      await issuer.setClock(61);
      try {
        expect((await byUri(uri)).json.error).toBe('invalid_request_uri');
      } finally {
        await issuer.setClock(0);
      }
    },
    [`${fapi}-par-attempt-to-use-request_uri-for-different-client`]: async () => {
      const response = await issuer.authorize({
        client_id: 'demo-spa',
        request_uri: await pushed(),
      });
      expect(response.json.error).toBe('invalid_request_uri');
    },
    [`${fapi}-ensure-different-nonce-inside-and-outside-request-object`]: async () => {
      const uri = await pushed({ nonce: 'inside' });
      const response = responseIn(await byUri(uri, { auto: 'ada', nonce: 'outside' }));
      const { json } = await issuer.redeem(response.get('code') ?? '');
      expect(decodeJwt(json.id_token).nonce).toBe('inside');
    },
    [`${fapi}-ensure-different-state-inside-and-outside-request-object`]: async () => {
      const uri = await pushed({ state: 'inside' });
      const response = responseIn(await byUri(uri, { auto: 'ada', state: 'outside' }));
      expect(response.get('state')).toBe('inside');
    },
    [`${fapi}-par-authorization-request-containing-request_uri-form-param`]: async () => {
      const { status, json } = await push(usualRequest({ request_uri: 'urn:example:1' }));
      expect([status, json.error]).toEqual([400, 'invalid_request']);
    },
    [`${fapi}-par-without-duplicate-parameters`]: async () => {
      expect((await byUri(await pushed(), { auto: 'ada' })).status).toBe(303);
    },
    [`${fapi}-par-attempt-invalid-http-method`]: async () => {
      const { status, headers } = await service.send(`PUT ${prefix}/oidc/par`);
      expect([status, headers.allow]).toEqual([405, 'POST']);
    },
    [`${fapi}-par-plain-pkce-rejected`]: async () => {
      const { json } = await push(usualRequest({ code_challenge_method: 'plain' }));
      expect(json.error).toBe('invalid_request');
    },
    [`${fapi}-incorrect-pkce-code-verifier-rejected`]: async () => {
      const code = await issuer.code();
      const { json } = await issuer.redeem(code, { code_verifier: 'x'.repeat(43) });
      expect(json.error).toBe('invalid_grant');
    },
    [`${fapi}-ensure-pkce-code-verifier-required`]: async () => {
      const { json } = await issuer.token({
        grant_type: 'authorization_code',
        code: await issuer.code(),
        redirect_uri: redirectUri,
      });
      expect(json.error).toBe('invalid_grant');
    },
    [`${fapi}-check-dpop-proof-nbf-exp`]: async () => {
      const key = dpopKey();
      const seconds = Math.floor(Date.now() / 1000);
      const claims = { nbf: seconds - 10, exp: seconds + 60 };
      const headers = await proved(key, asWeb, claims);
      const { status } = await issuer.redeem(await issuer.code(), {}, headers);
      expect(status).toBe(200);
    },
    [`${fapi}-dpop-negative-tests`]: async () => {
      const key = dpopKey();
      for (const claims of [
        { htm: 'GET' },
        { htu: `${issuerUrl()}/other` },
        { iat: undefined },
        { jti: undefined },
      ]) {
        const headers = await proved(key, asWeb, claims);
        const { json } = await issuer.redeem(await issuer.code(), {}, headers);
        expect(json.error, JSON.stringify(claims)).toBe('invalid_dpop_proof');
      }
    },
    [`${fapi}-happy-flow`]: async () => {
      const { token, key } = await bound();
      expect((await userinfo(token, key)).json.sub).toBe('ada');
    },
    [`${fapi}-user-rejects-authentication`]: async () => {
      const response = await issuer.throughPages(await byUri(await pushed()), 'grace', 'deny');
      expect(responseIn(response).get('error')).toBe('access_denied');
    },
    [`${fapi}-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds`]: async () => {
      const uri = await pushed();
      expect((await byUri(uri)).text).toContain('<h1>Log in</h1>');
      expect(responseIn(await byUri(uri, { auto: 'ada' })).has('code')).toBe(true);
      expect((await byUri(uri, { auto: 'ada' })).json.error).toBe('invalid_request_uri');
    },
    [`${fapi}-ensure-unsigned-authorization-request-without-using-par-fails`]: async () => {
      const { json: client } = await issuer.register({
        redirect_uris: [redirectUri],
        require_pushed_authorization_requests: true,
      });
      const response = await issuer.authorize(usualRequest({ client_id: client.client_id }));
      expect(responseIn(response).get('error')).toBe('invalid_request');
    },
    [`${fapi}-ensure-redirect-uri-in-authorization-request`]: async () => {
      const { status, json } = await push(without(usualRequest(), 'redirect_uri'));
      expect([status, json.error]).toEqual([400, 'invalid_request']);
    },
    [`${fapi}-ensure-response-type-token-fails`]: async () => {
      const { json } = await push(usualRequest({ response_type: 'token' }));
      expect(json.error).toBe('unsupported_response_type');
    },
    [`${fapi}-ensure-authorization-request-without-state-success`]: async () => {
      const { json } = await push(without(usualRequest(), 'state'));
      const response = responseIn(await byUri(json.request_uri, { auto: 'ada' }));
      expect([response.has('code'), response.has('state')]).toEqual([true, false]);
    },
    [`${fapi}-ensure-authorization-request-without-nonce-success`]: async () => {
      const { json } = await issuer.redeem(await codeOf(await pushed()));
      expect(decodeJwt(json.id_token)).not.toHaveProperty('nonce');
    },
    [`${fapi}-ensure-other-scope-order-succeeds`]: async () => {
      const code = await codeOf(await pushed({ scope: 'email profile openid' }));
      expect((await issuer.redeem(code)).json.scope).toBe('openid profile email');
    },
    [`${fapi}-ensure-dpopproof-with-iat-10seconds-before-succeeds`]: () => atSeconds(-10),
    [`${fapi}-ensure-dpopproof-with-iat-10seconds-after-succeeds`]: () => atSeconds(10),
    [`${fapi}-ensure-mismatched-dpop-jkt-fails`]: async () => {
      const dpop_jkt = await dpopKey().thumbprint();
      const { json } = await push(
        usualRequest({ dpop_jkt }),
        await proved(dpopKey(), asWeb, {}, 'par'),
      );
      expect(json.error).toBe('invalid_dpop_proof');
    },
    [`${fapi}-ensure-token-endpoint-fails-with-mismatched-dpop-jkt`]: async () => {
      const code = await codeOf(await pushed({ dpop_jkt: await dpopKey().thumbprint() }));
      const { json } = await issuer.redeem(code, {}, await proved(dpopKey(), asWeb));
      expect(json.error).toBe('invalid_grant');
    },
    [`${fapi}-ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt`]: async () => {
      const code = await codeOf(await pushedBy(dpopKey()));
      const { json } = await issuer.redeem(code, {}, await proved(dpopKey(), asWeb));
      expect(json.error).toBe('invalid_grant');
    },
    [`${fapi}-ensure-dpopproof-at-par-endpoint-binding-success`]: async () => {
      const key = dpopKey();
      const code = await codeOf(await pushedBy(key));
      expect((await issuer.redeem(code, {}, await proved(key, asWeb))).json.token_type).toBe(
        'DPoP',
      );
    },
    [`${fapi}-ensure-dpop-auth-code-binding-success`]: async () => {
      const key = dpopKey();
      const code = await codeOf(await pushedBy(key, { dpop_jkt: await key.thumbprint() }));
      expect((await issuer.redeem(code, {}, await proved(key, asWeb))).json.token_type).toBe(
        'DPoP',
      );
    },
    [`${fapi}-ensure-holder-of-key-required`]: async () => {
      const { json: client } = await issuer.register({
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        dpop_bound_access_tokens: true,
      });
      const { client_id, client_secret } = client;
      const code = await issuer.code({ client_id });
      const { json } = await issuer.redeem(code, { client_id, client_secret }, {});
      expect(json.error).toBe('invalid_dpop_proof');
    },
    [`${fapi}-access-token-type-header-case-sensitivity`]: async () => {
      const { token, key } = await bound();
      for (const scheme of ['DPoP', 'dpop', 'DPOP']) {
        expect((await userinfo(token, key, scheme)).status, scheme).toBe(200);
      }
    },
    [`${fapi}-refresh-token`]: async () => {
      const { refresh, key } = await bound({ scope: 'openid offline_access' });
      const fields = { grant_type: 'refresh_token', refresh_token: refresh };
      const { json } = await issuer.token(fields, await proved(key, asWeb));
      expect((await userinfo(json.access_token, key)).json.sub).toBe('ada');
    },
  };
}
