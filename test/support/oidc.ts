/**
 * A client of the issuer by hand: the requests of a browser and of an application, one at a time.
 */

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { basicHeader } from './demo-credentials.js';
import { type HttpResponse, type TestService, useService } from './service.js';

export const redirectUri = 'http://localhost:4711/callback';
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const challenge = createHash('sha256').update(verifier).digest('base64url');

export type Fields = Readonly<Record<string, string>>;

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

export const asWeb = {
  Authorization: basicHeader('demo-web', 'demo-web-secret-of-32-characters'),
};
export const asService = {
  Authorization: basicHeader('demo-service', 'demo-service-secret-of-32-letters'),
};

export function usualRequest(more: Fields = {}): Fields {
  return {
    client_id: 'demo-web',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  };
}

export function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Starts a service for the tests of a file, and returns the issuer of one of its sandboxes. */
export function useIssuer(sandbox: string) {
  const service = useService();
  const prefix = `/s/${sandbox}`;
  const issuerUrl = () => `${service.url}${prefix}/oidc`;
  return { service, prefix, issuerUrl, ...issuerAt(service, prefix) };
}

/** `prefix` is the path of the issuer's sandbox, such as `/s/a`. */
export function issuerAt({ send }: Pick<TestService, 'send'>, prefix: string) {
  const post = (path: string, fields: Fields, headers: Fields = {}) =>
    send(`POST ${prefix}/oidc/${path}`, {
      headers: { ...formType, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const authorize = (fields: Fields, headers: Fields = {}) =>
    send(`GET ${prefix}/oidc/authorize?${new URLSearchParams(fields)}`, { headers });
  const token = (fields: Fields, headers: Fields = asWeb) => post('token', fields, headers);
  return {
    post,
    authorize,
    token,
    register: (json: object) => send(`POST ${prefix}/oidc/register`, { json }),
    /** A code without a login page. */
    async code(more: Fields = {}): Promise<string> {
      const response = await authorize(usualRequest({ auto: 'ada', ...more }));
      const code = responseIn(response).get('code');
      expect(code, response.headers.location).toBeTruthy();
      return code ?? '';
    },
    /** Acts as a user on the pages after the login page, and returns the result. */
    async throughPages(
      login: HttpResponse,
      username = 'ada',
      response = 'allow',
    ): Promise<HttpResponse> {
      const browser = cookiesOf(login);
      const entered = { ...fieldsOf(login), username, password: `${username}-secret` };
      const consent = await post('login', entered, { cookie: browser });
      // A user who consented before is not asked again.
      if (consent.status === 303) return consent;
      const cookie = [browser, cookiesOf(consent)].join('; ');
      return post('consent', { ...fieldsOf(consent), answer: response }, { cookie });
    },
    redeem: (code: string, more: Fields = {}, headers: Fields = asWeb) =>
      token(
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          ...more,
        },
        headers,
      ),
    get: (path: string, accessToken: string) =>
      send(`GET ${prefix}/oidc/${path}`, { headers: { Authorization: `Bearer ${accessToken}` } }),
    setClock: (offsetSeconds: number) =>
      send(`PUT ${prefix}/api/sandbox/clock`, { json: { offsetSeconds } }),
  };
}

/** The parameters of a redirect. */
export function responseIn(
  { status, headers }: HttpResponse,
  mark: '?' | '#' = '?',
): URLSearchParams {
  expect(status).toBe(303);
  const { location = '' } = headers;
  return new URLSearchParams(location.slice(location.indexOf(mark) + 1));
}

/** The cookies that a response sets, as a browser sends them back. */
export function cookiesOf(...responses: readonly HttpResponse[]): string {
  return responses
    .flatMap(({ headers }) => headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** The hidden fields of the form of a page. */
export function fieldsOf({ text }: HttpResponse): Fields {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, decode(value)]));
}

function decode(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
