/** The browser of a person: what its cookies say, and forms that only it can send. */

import { parseCookie } from 'cookie';
import { setCookieHeader } from '../../../http/cookies/set-cookie.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import { issuedAt, issueTimedToken } from '../../../http/credentials/timed-token.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Sandbox } from '../../../state/state.js';
import type { Issuer } from '../issuer.js';
import { keyOf, randomText } from '../random-text.js';

const sessionCookie = 'oidc_session';
const browserCookie = 'oidc_browser';

/** How long a form can be left open. */
export const formMs = 30 * 60 * 1000;
const maxCookieLength = 100;

export class Browser {
  readonly #cookies: Readonly<Record<string, string | undefined>>;
  readonly #reply: Reply;
  readonly #issuer: Issuer;
  readonly #mac: KeyedMac;
  readonly #sandbox: Sandbox;
  #id: string | undefined;
  #session: string | undefined;

  constructor(
    { headers }: Request,
    reply: Reply,
    { issuer, mac, sandbox }: { issuer: Issuer; mac: KeyedMac; sandbox: Sandbox },
  ) {
    this.#cookies = parseCookie(headers.cookie ?? '');
    this.#reply = reply;
    this.#issuer = issuer;
    this.#mac = mac;
    this.#sandbox = sandbox;
    this.#id = this.#read(browserCookie);
    this.#session = this.#read(sessionCookie);
  }

  /** Under this key the state has its session, if it has any. */
  get sessionKey(): string | undefined {
    return this.#session === undefined ? undefined : keyOf(this.#session);
  }

  /** A new name with each login, so that it cannot be known beforehand. Returns its key. */
  beginSession(): string {
    const secret = randomText('oss');
    this.#session = secret;
    this.#set(sessionCookie, secret);
    return keyOf(secret);
  }

  endSession(): void {
    this.#set(sessionCookie, '', 0);
  }

  /** What a form has in it, for `purpose` in words and for whatever it is about. */
  proof(nowMs: number, purpose: string, ...about: readonly string[]): string {
    this.#id ??= this.#remember();
    return issueTimedToken(this.#mac, this.#scope(purpose, about), nowMs);
  }

  /** Whether a form of ours was shown to this browser lately, about the same. */
  isProof(
    proof: string | undefined,
    nowMs: number,
    purpose: string,
    ...about: readonly string[]
  ): boolean {
    if (this.#id === undefined || proof === undefined) return false;
    const atMs = issuedAt(this.#mac, this.#scope(purpose, about), proof);
    return atMs !== undefined && nowMs >= atMs && nowMs < atMs + formMs;
  }

  #scope(purpose: string, about: readonly string[]) {
    return {
      purpose: JSON.stringify(['oidc', purpose, this.#id, ...about.map(keyOf)]),
      sandbox: this.#sandbox.name,
    };
  }

  #remember(): string {
    const id = randomText('obr');
    this.#set(browserCookie, id);
    return id;
  }

  #read(name: string): string | undefined {
    const value = this.#cookies[name];
    return value === undefined || value === '' || value.length > maxCookieLength
      ? undefined
      : value;
  }

  #set(name: string, value: string, maxAge?: number): void {
    const cookie = {
      name,
      value,
      path: this.#issuer.cookiePath,
      httpOnly: true,
      secure: this.#issuer.isSecure,
      sameSite: 'Lax',
      ...(maxAge !== undefined && { maxAge }),
    } as const;
    this.#reply.header('set-cookie', setCookieHeader(cookie));
  }
}
