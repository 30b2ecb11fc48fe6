/** A login in progress. The tab keeps it while the browser is at the issuer. */

import { sha256 } from 'js-sha256';
import { base64url } from './jwt.js';

export const clientId = 'demo-spa';
const scope = 'openid profile email';
const storedKey = 'practice-api-oidc-login';

export interface Provider {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string;
  readonly jwks_uri: string;
  readonly end_session_endpoint: string;
}

export interface Login {
  readonly provider: Provider;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly challenge: string;
  /** The page of the issuer. */
  readonly redirectUri: string;
  readonly request?: string;
  readonly logout?: string;
}

/** Browsers have their own SHA-256 only in secure contexts, and a phone may use plain HTTP. */
export function hashOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sha256.arrayBuffer(text));
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

export function newLogin(provider: Provider, redirectUri: string): Login {
  const verifier = randomText();
  const challenge = base64url(hashOf(verifier));
  return { provider, redirectUri, state: randomText(), nonce: randomText(), verifier, challenge };
}

/** Returns the parameters of the authorization request, with their meanings. */
export function parametersOf(login: Login, isAgain: boolean) {
  const rows: (readonly [name: string, value: string, meaning: string])[] = [
    ['client_id', clientId, 'Who asks: a public client, without a secret'],
    ['redirect_uri', login.redirectUri, 'Where to return: this page, which is registered'],
    ['response_type', 'code', 'A code to exchange, never a token in a URL'],
    ['scope', scope, 'An ID token, and these claims'],
    ['state', login.state, 'Ties the response to this browser'],
    ['nonce', login.nonce, 'Ties the ID token to this login'],
    ['code_challenge', login.challenge, 'The hash of the verifier'],
    ['code_challenge_method', 'S256', 'The hash is SHA-256'],
  ];
  if (isAgain) rows.push(['prompt', 'login', 'Show the login page in any case']);
  return rows;
}

export function requestOf(login: Login, isAgain: boolean): string {
  const rows = parametersOf(login, isAgain).map(([name, value]) => [name, value]);
  return `${login.provider.authorization_endpoint}?${new URLSearchParams(rows)}`;
}

export function keepLogin(login: Login): void {
  sessionStorage.setItem(storedKey, JSON.stringify(login));
}

/** Returns the login of this tab, once. */
export function takeLogin(): Login | undefined {
  const stored = sessionStorage.getItem(storedKey);
  sessionStorage.removeItem(storedKey);
  return stored === null ? undefined : (JSON.parse(stored) as Login);
}
