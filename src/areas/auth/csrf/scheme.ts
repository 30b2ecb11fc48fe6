/** Protects forms against cross-site request forgery (CSRF). */

import { stringifySetCookie } from 'cookie';
import { Type } from 'typebox';
import { prefixOf } from '#http/address/sandbox-address.js';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import { issuedAt, issueTimedToken } from '#http/credentials/timed-token.js';
import type { Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { anyBodies } from '#kit/describe/any-body.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import type { Sandbox } from '#state/state.js';
import { cookieValues } from '../cookie-values.js';
import type { Scheme } from '../scheme.js';
import { csrfCollection } from './collection.js';

const cookieName = 'XSRF-TOKEN';
/** Axios and Angular send the value of a cookie XSRF-TOKEN in the second of these headers. */
const headerNames = ['X-CSRF-Token', 'X-XSRF-TOKEN'] as const;
const tokenSeconds = 3600;

const scopeOf = ({ name }: Sandbox) => ({ purpose: 'csrf-token', sandbox: name });

const issueToken = (mac: KeyedMac) =>
  endpoint('GET', '/api/auth/csrf/token', {
    summary: 'Get a CSRF token, also as a cookie',
    description:
      'The client sends the cookie, and the token in a header as well. Only a page of the same origin can do both.',
    responses: {
      200: Type.Object({ csrfToken: Type.String(), message: Type.String() }),
    },
    responseHeaders: {
      200: {
        'Set-Cookie': Type.String({
          description: `The cookie ${cookieName}, readable by scripts.`,
        }),
      },
    },
    async handle(request, reply) {
      const { sandbox, baseUrl } = request;
      const csrfToken = issueTimedToken(mac, scopeOf(sandbox), await sandbox.now());
      const cookie = stringifySetCookie({
        name: cookieName,
        value: csrfToken,
        // Below `/s/`, browsers send the cookie only to URLs of the same sandbox.
        path: isInSandboxUrl(request) ? new URL(baseUrl).pathname : '/',
        sameSite: 'lax',
        maxAge: tokenSeconds,
        // Scripts of the page must read the cookie, because they send its value in a header.
        httpOnly: false,
        secure: baseUrl.startsWith('https:'),
      });
      reply.header('set-cookie', cookie);
      return {
        csrfToken,
        message:
          'Send it as X-CSRF-Token or X-XSRF-TOKEN with the cookie to POST /api/auth/csrf/submit.',
      };
    },
  });

const submitForm = (mac: KeyedMac) =>
  endpoint('POST', '/api/auth/csrf/submit', {
    ...anyBodies,
    summary: 'Submit a form with its CSRF token',
    description:
      'The token must be issued by this service, and be the same in the cookie and in the header. A body is ignored.',
    headers: unvalidated({
      'X-CSRF-Token': Type.Optional(Type.String({ description: 'The value of the cookie.' })),
      'X-XSRF-TOKEN': Type.Optional(
        Type.String({ description: 'The same value, under the name that axios and Angular use.' }),
      ),
    }),
    cookies: {
      [cookieName]: Type.String({ description: 'As set by GET /api/auth/csrf/token.' }),
    },
    responses: {
      200: Type.Object({
        message: Type.String(),
        submittedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
      }),
      403: errorSchema,
    },
    async handle(request) {
      const { sandbox } = request;
      const nowMs = await sandbox.now();
      const issuedAtMs = issuedAt(mac, scopeOf(sandbox), doublySubmitted(request));
      const fault = tokenFault(issuedAtMs, nowMs);
      if (fault !== undefined) throw rejected(fault);
      return { message: 'The form was accepted.', submittedAt: new Date(nowMs).toISOString() };
    },
  });

function isInSandboxUrl({ raw }: Request): boolean {
  return prefixOf(raw) !== '';
}

/** Returns the token that cookie and header agree on. Does not check who issued it. */
function doublySubmitted(request: Request): string {
  const cookies = cookieValues(request.headers.cookie, cookieName);
  // Browsers send the cookie with the longest path first (RFC 6265 section 5.4). Below `/s/` the first is the sandbox's
  // cookie, and one for the root path may follow.
  const inCookie = isInSandboxUrl(request) ? cookies.slice(0, 1) : cookies;
  const sent = headerNames.flatMap((name) => {
    const values = headerValues(request, name.toLowerCase());
    if (values.length > 1) throw rejected(`The header ${name} is repeated.`);
    return values[0] ? { name, token: values[0] } : [];
  });
  const [first, second] = sent;
  const place = `cookie ${cookieName}`;
  if (inCookie.length > 1) throw rejected(`The ${place} is repeated.`);
  if (!inCookie[0]) throw rejected(`The ${place} is missing.`);
  if (first === undefined) throw rejected(`The header ${headerNames.join(' or ')} is missing.`);
  if (second !== undefined && !isSameSecret(first.token, second.token)) {
    throw rejected(`The headers ${headerNames.join(' and ')} differ.`);
  }
  if (!isSameSecret(inCookie[0], first.token)) {
    throw rejected(`The ${place} and the header ${first.name} differ.`);
  }
  return first.token;
}

function tokenFault(issuedAtMs: number | undefined, nowMs: number): string | undefined {
  if (issuedAtMs === undefined) {
    return 'The CSRF token was not issued by this service in this sandbox since it started.';
  }
  if (nowMs < issuedAtMs) {
    return "The CSRF token is from the future: the sandbox's clock was set back after it was issued.";
  }
  const expiresAtMs = issuedAtMs + tokenSeconds * 1000;
  if (nowMs < expiresAtMs) return undefined;
  return `The CSRF token expired at '${new Date(expiresAtMs).toISOString()}'.`;
}

function rejected(what: string): HttpError {
  return new HttpError(
    403,
    `${what} GET /api/auth/csrf/token returns a token and sets it as the cookie ${cookieName}. Send the cookie, and its value as X-CSRF-Token or X-XSRF-TOKEN.`,
  );
}

export const csrfScheme = {
  name: 'csrf',
  title: 'CSRF',
  collection: csrfCollection,
  endpoints: (_runtime, mac) => [issueToken(mac), submitForm(mac)],
} satisfies Scheme;
