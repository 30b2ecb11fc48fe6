/** Whoever sends a request, by the cookies: the session, and forms that only this browser can send. */

import { randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import { basePathOf } from '../../http/address/sandbox-address.js';
import { sentCookies, setCookieHeader } from '../../http/cookies/set-cookie.js';
import type { KeyedMac } from '../../http/credentials/keyed-mac.js';
import { keyOf } from '../../http/credentials/secret-text.js';
import { isRecent, issueTimedToken } from '../../http/credentials/timed-token.js';
import type { Reply, Request } from '../../http/exchange.js';
import { headerValues } from '../../http/headers/header-values.js';
import { HttpError } from '../../http/http-error.js';
import type { Sandbox } from '../../state/state.js';

/** How long a form can be left open. */
const formMs = 30 * 60 * 1000;
/** Ours have 43. */
const maxValueLength = 100;

interface Surroundings {
  readonly baseUrl: string;
  readonly sandbox: Sandbox;
  readonly mac: KeyedMac;
}

/**
 * With TLS the prefix has browsers see to it that nobody else set the cookie: `__Host-` where the service has
 * the host to itself. Below a path, as sandboxes are, a cookie must keep to it, which that prefix forbids.
 */
export function cookiePlace(baseUrl: string): { prefix: string; path: string; secure: boolean } {
  const path = `${basePathOf(baseUrl)}/api/auth/session`;
  if (!baseUrl.startsWith('https:')) return { prefix: '', path, secure: false };
  if (basePathOf(baseUrl) === '') return { prefix: '__Host-', path: '/', secure: true };
  return { prefix: '__Secure-', path, secure: true };
}

export class Visitor {
  readonly #request: Request;
  readonly #reply: Reply;
  readonly #surroundings: Surroundings;
  readonly #place: ReturnType<typeof cookiePlace>;
  /** The random part of the cookie; the state knows its hash alone. */
  #session: string | undefined;
  #form: string | undefined;

  /** Throws 400 where two cookies of a name leave open which one counts. */
  constructor(request: Request, reply: Reply, surroundings: Surroundings) {
    this.#request = request;
    this.#reply = reply;
    this.#surroundings = surroundings;
    this.#place = cookiePlace(surroundings.baseUrl);
    this.#session = this.#read('session');
    this.#form = this.#read('session-form');
  }

  /** Under this key the state has its session, if it has any. */
  get sessionKey(): string | undefined {
    return this.#session === undefined ? undefined : keyOf(this.#session);
  }

  /** A new id with each step of a login, so that nobody can have had it before. Returns its key. */
  beginSession(maxAge?: number): string {
    this.#session = randomBytes(32).toString('base64url');
    this.#set('session', this.#session, maxAge);
    return keyOf(this.#session);
  }

  endSession(): void {
    this.#session = undefined;
    this.#set('session', '', 0);
  }

  /** A token for forms. It is this browser's and this session's, so it ends with a login. */
  formToken(nowMs: number): string {
    if (this.#form === undefined) {
      this.#form = randomBytes(32).toString('base64url');
      this.#set('session-form', this.#form);
    }
    return issueTimedToken(this.#surroundings.mac, this.#scope(), nowMs);
  }

  isFormToken(token: string | undefined, nowMs: number): boolean {
    const { mac } = this.#surroundings;
    const times = { nowMs, lifeMs: formMs };
    return this.#form !== undefined && isRecent(mac, this.#scope(), token, times);
  }

  #scope() {
    return {
      purpose: JSON.stringify(['session-form', this.#form, this.sessionKey]),
      sandbox: this.#surroundings.sandbox.name,
    };
  }

  #read(name: string): string | undefined {
    const full = this.#place.prefix + name;
    const headers = headerValues(this.#request, 'cookie');
    const sent = sentCookies(headers).filter((cookie) => cookie.name === full);
    if (sent.length > 1) {
      throw new HttpError(
        400,
        `The cookie ${full} comes ${sent.length} times, so it is not clear which one is meant. Send it once.`,
      );
    }
    const value = parseCookie(headers.join('; '))[full];
    return value && value.length <= maxValueLength ? value : undefined;
  }

  #set(name: string, value: string, maxAge?: number): void {
    const { prefix, path, secure } = this.#place;
    const cookie = setCookieHeader({
      name: prefix + name,
      value,
      path,
      secure,
      httpOnly: true,
      sameSite: 'Lax',
      ...(maxAge !== undefined && { maxAge }),
    });
    this.#reply.header('set-cookie', cookie);
  }
}
