/** The browser of a person: its cookies, and forms that only it can send. */

import { parseCookie } from 'cookie';
import { setCookieHeader } from '../../../http/cookies/set-cookie.js';
import { keyOf, randomText } from '../../../http/credentials/secret-text.js';
import { isRecent, issueTimedToken } from '../../../http/credentials/timed-token.js';
import type { Exchange } from '../exchange.js';

const sessionCookie = 'oidc_session';
const browserCookie = 'oidc_browser';

/** How long a form can be left open. */
export const formMs = 30 * 60 * 1000;
const maxCookieLength = 100;

export class Browser {
  readonly #at: Exchange;
  readonly #cookies: Readonly<Record<string, string | undefined>>;
  #id: string | undefined;
  #session: string | undefined;

  constructor(at: Exchange) {
    this.#at = at;
    this.#cookies = parseCookie(at.request.headers.cookie ?? '');
    this.#id = this.#read(browserCookie);
    this.#session = this.#read(sessionCookie);
  }

  /** The key of its session in the state, if it has any. */
  get sessionKey(): string | undefined {
    return this.#session === undefined ? undefined : keyOf(this.#session);
  }

  /** Sets a new name with each login, so that it cannot be known beforehand. Returns its key. */
  beginSession(): string {
    const secret = randomText('oss');
    this.#session = secret;
    this.#set(sessionCookie, secret);
    return keyOf(secret);
  }

  endSession(): void {
    this.#set(sessionCookie, '', 0);
  }

  /** Returns a value for a form: for a purpose in words, and for whatever the form is about. */
  proof(nowMs: number, purpose: string, ...about: readonly string[]): string {
    this.#id ??= this.#remember();
    return issueTimedToken(this.#at.mac, this.#scope(purpose, about), nowMs);
  }

  /** Returns whether a form of ours was shown to this browser lately, about the same. */
  isProof(
    proof: string | undefined,
    nowMs: number,
    purpose: string,
    ...about: readonly string[]
  ): boolean {
    if (this.#id === undefined) return false;
    return isRecent(this.#at.mac, this.#scope(purpose, about), proof, { nowMs, lifeMs: formMs });
  }

  #scope(purpose: string, about: readonly string[]) {
    return {
      purpose: JSON.stringify(['oidc', purpose, this.#id, ...about.map(keyOf)]),
      sandbox: this.#at.sandbox.name,
    };
  }

  #remember(): string {
    const id = randomText('obr');
    this.#set(browserCookie, id);
    return id;
  }

  #read(name: string): string | undefined {
    const value = this.#cookies[name];
    return value && value.length <= maxCookieLength ? value : undefined;
  }

  #set(name: string, value: string, maxAge?: number): void {
    const { issuer, reply } = this.#at;
    const cookie = setCookieHeader({
      name,
      value,
      path: issuer.cookiePath,
      httpOnly: true,
      secure: issuer.isSecure,
      sameSite: 'Lax',
      ...(maxAge !== undefined && { maxAge }),
    });
    reply.header('set-cookie', cookie);
  }
}
