/** Represents a user's browser: its cookies, and forms that only it can send. */

import { parseCookie } from 'cookie';
import { setCookieHeader } from '#http/cookies/set-cookie.js';
import { keyOf, randomText } from '#http/credentials/secret-text.js';
import { isRecent, issueTimedToken } from '#http/credentials/timed-token.js';
import type { Exchange } from '../exchange.js';

const sessionCookie = 'oidc_session';
const browserCookie = 'oidc_browser';

export const formMs = 30 * 60 * 1000;
const maxCookieLength = 100;

export class Browser {
  readonly #at: Exchange;
  #id: string | undefined;
  #session: string | undefined;

  constructor(at: Exchange) {
    this.#at = at;
    const cookies = parseCookie(at.request.headers.cookie ?? '');
    const read = (name: string) => {
      const value = cookies[name];
      return value && value.length <= maxCookieLength ? value : undefined;
    };
    this.#id = read(browserCookie);
    this.#session = read(sessionCookie);
  }

  get sessionKey(): string | undefined {
    return this.#session === undefined ? undefined : keyOf(this.#session);
  }

  /** Sets a new session id at each login, so that attackers cannot know it beforehand. Returns its key. */
  beginSession(): string {
    this.#session = randomText('oss');
    this.#set(sessionCookie, this.#session);
    return keyOf(this.#session);
  }

  endSession(): void {
    this.#set(sessionCookie, '', 0);
  }

  /** Returns a value that a form must send back. It is bound to a purpose, and to the subject of the form. */
  proof(nowMs: number, purpose: string, ...about: readonly string[]): string {
    if (this.#id === undefined) {
      this.#id = randomText('obr');
      this.#set(browserCookie, this.#id);
    }
    return issueTimedToken(this.#at.mac, this.#scope(purpose, about), nowMs);
  }

  /** Whether this browser got the same form recently. */
  isProof(
    proof: string | undefined,
    nowMs: number,
    purpose: string,
    ...about: readonly string[]
  ): boolean {
    if (this.#id === undefined) return false;
    return isRecent(this.#at.mac, this.#scope(purpose, about), proof, { nowMs, lifeMs: formMs });
  }

  #scope(what: string, about: readonly string[]) {
    const purpose = JSON.stringify(['oidc', what, this.#id, ...about.map(keyOf)]);
    return { purpose, sandbox: this.#at.sandbox.name };
  }

  /** Sets a cookie below the issuer's path, so that sandboxes cannot see each other's cookies. */
  #set(name: string, value: string, maxAge?: number): void {
    const { issuer, reply } = this.#at;
    const { pathname: path, protocol } = new URL(issuer.url);
    const flags = { httpOnly: true, secure: protocol === 'https:', sameSite: 'Lax' } as const;
    reply.header('set-cookie', setCookieHeader({ name, value, path, maxAge, ...flags }));
  }
}
