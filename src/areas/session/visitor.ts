/**
 * Identifies the browser or program that sends a request by its cookies: a session, and forms that only it can send.
 */

import { randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import { basePathOf } from '#http/address/sandbox-address.js';
import { sentCookies, setCookieHeader } from '#http/cookies/set-cookie.js';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { isRecent, issueTimedToken } from '#http/credentials/timed-token.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import type { WrongCodes } from '#kit/limits/wrong-codes.js';
import type { Sandbox } from '#state/state.js';
import { path } from './path.js';
import {
  type Begun,
  beginSession,
  endSession,
  lifetimes,
  type Session,
  useSession,
} from './session.js';

/** The parts that the endpoints of sessions share. */
export interface SessionParts {
  readonly mac: KeyedMac;
  readonly wrongCodes: WrongCodes;
}

const formMs = 30 * 60 * 1000;
/** The service's own values have 43. */
const maxValueLength = 100;

/**
 * With TLS, the prefix makes browsers guarantee that no other site set the cookie. `__Host-` requires the path `/`, so
 * cookies of sandboxes, which are below a path, use `__Secure-`.
 */
export function cookiePlace(baseUrl: string): { prefix: string; path: string; secure: boolean } {
  const ownPath = basePathOf(baseUrl) + path;
  if (!baseUrl.startsWith('https:')) return { prefix: '', path: ownPath, secure: false };
  if (basePathOf(baseUrl) === '') return { prefix: '__Host-', path: '/', secure: true };
  return { prefix: '__Secure-', path: ownPath, secure: true };
}

/** Throws 400 for several cookies with the same name, because they are ambiguous. */
export class Visitor {
  readonly request: Request;
  readonly reply: Reply;
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly parts: SessionParts;
  readonly #place: ReturnType<typeof cookiePlace>;
  /** The random part of the cookie. The state has only its hash. */
  #session: string | undefined;
  #form: string | undefined;

  constructor(request: Request, reply: Reply, parts: SessionParts) {
    this.request = request;
    this.reply = reply;
    this.sandbox = request.sandbox;
    this.baseUrl = request.baseUrl;
    this.parts = parts;
    this.#place = cookiePlace(this.baseUrl);
    this.#session = this.#read('session');
    this.#form = this.#read('session-form');
  }

  get sessionKey(): string | undefined {
    return this.#session === undefined ? undefined : keyOf(this.#session);
  }

  async useSession(): Promise<Session | undefined> {
    const { sessionKey } = this;
    return sessionKey === undefined ? undefined : useSession(this.sandbox, sessionKey);
  }

  /** Replaces the session by a new one. Its id is new, so that an attacker cannot know it beforehand. */
  async beginSession(begun: Begun): Promise<Session> {
    const formerKey = this.sessionKey;
    const isKept = begun.isRemembered && !begun.isHalf;
    this.#session = randomBytes(32).toString('base64url');
    this.#set('session', this.#session, isKept ? lifetimes.remembered / 1000 : undefined);
    return beginSession(this.sandbox, keyOf(this.#session), begun, formerKey);
  }

  async endSession(): Promise<void> {
    const { sessionKey } = this;
    if (sessionKey !== undefined) await endSession(this.sandbox, sessionKey);
    this.#session = undefined;
    this.#set('session', '', 0);
  }

  /** Returns a token for forms of this browser and this session. A login invalidates it. */
  formToken(nowMs: number): string {
    if (this.#form === undefined) {
      this.#form = randomBytes(32).toString('base64url');
      this.#set('session-form', this.#form);
    }
    return issueTimedToken(this.parts.mac, this.#scope(), nowMs);
  }

  isFormToken(token: string | undefined, nowMs: number): boolean {
    if (this.#form === undefined) return false;
    return isRecent(this.parts.mac, this.#scope(), token, { nowMs, lifeMs: formMs });
  }

  #scope() {
    const purpose = JSON.stringify(['session-form', this.#form, this.sessionKey]);
    return { purpose, sandbox: this.sandbox.name };
  }

  #read(name: string): string | undefined {
    const full = this.#place.prefix + name;
    const headers = headerValues(this.request, 'cookie');
    const sent = sentCookies(headers).filter((cookie) => cookie.name === full);
    if (sent.length > 1) {
      throw new HttpError(400, `The cookie ${full} occurs ${sent.length} times. Send it once.`);
    }
    const value = parseCookie(headers.join('; '))[full];
    return value && value.length <= maxValueLength ? value : undefined;
  }

  #set(name: string, value: string, maxAge?: number): void {
    const { prefix, path, secure } = this.#place;
    const flags = { secure, httpOnly: true, sameSite: 'Lax' } as const;
    const cookie = { name: prefix + name, value, path, maxAge, ...flags };
    this.reply.header('set-cookie', setCookieHeader(cookie));
  }
}
