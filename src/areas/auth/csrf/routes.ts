/** Protection of a form against cross-site requests: a token in a cookie and again in a header. */

import { stringifySetCookie } from 'cookie';
import { prefixOf } from '../../../http/address/sandbox-address.js';
import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/headers/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { cookieValues } from '../cookie-values.js';
import { csrfTokenFault, csrfTokenSeconds, issueCsrfToken } from './csrf-token.js';
import { cookieName, giveToken, submit } from './schemas.js';

const howTo = `GET /api/auth/csrf/token gives a token and sets it as the cookie ${cookieName}; send both the cookie and the same value as X-CSRF-Token.`;

export function addCsrfRoutes(app: App, services: Services, mac: KeyedMac): void {
  const handle = createHandlers(services, mac);
  app.get('/api/auth/csrf/token', { schema: giveToken }, handle.giveToken);
  app.post('/api/auth/csrf/submit', { schema: submit }, handle.submit);
}

function createHandlers({ sandboxOf, baseUrlOf }: Services, mac: KeyedMac) {
  return {
    async giveToken(request: Request, reply: Reply) {
      const sandbox = sandboxOf(request);
      const csrfToken = issueCsrfToken(mac, sandbox.name, await sandbox.now());
      const cookie = stringifySetCookie({
        name: cookieName,
        value: csrfToken,
        path: cookiePath(request, baseUrlOf(request)),
        sameSite: 'lax',
        maxAge: csrfTokenSeconds,
        // Scripts of the page read it, to send it as a header too: that is the point of it.
        httpOnly: false,
        secure: baseUrlOf(request).startsWith('https:'),
      });
      reply.header('set-cookie', cookie);
      return {
        csrfToken,
        message: 'Send it as X-CSRF-Token with the cookie to POST /api/auth/csrf/submit.',
      };
    },

    async submit(request: Request) {
      const sandbox = sandboxOf(request);
      const nowMs = await sandbox.now();
      const token = doublySubmitted(request);
      const wrong = csrfTokenFault(mac, sandbox.name, token, nowMs);
      if (wrong !== undefined) throw new HttpError(403, `${wrong.fault} ${howTo}`);
      return {
        message: 'The form was accepted.',
        submittedAt: new Date(nowMs).toISOString(),
      };
    },
  };
}

/** Below `/s/`, only what is inside the sandbox gets the cookie, as browsers see its address. */
function cookiePath({ raw }: Request, baseUrl: string): string {
  return prefixOf(raw) === '' ? '/' : new URL(baseUrl).pathname;
}

/**
 * Of cookies of one name, browsers send that of the longest path first (RFC 6265 section 5.4): below `/s/`
 * the first is ours, and one from the root may follow.
 */
function sentCookies({ raw, headers }: Request): readonly string[] {
  const values = cookieValues(headers.cookie, cookieName);
  return prefixOf(raw) === '' ? values : values.slice(0, 1);
}

/** The token that cookie and header agree on; whether it is ours has not been looked at. */
function doublySubmitted(request: Request): string {
  const inCookie = sentCookies(request);
  const inHeader = headerValues(request, 'x-csrf-token');
  for (const [place, values] of [
    [`cookie ${cookieName}`, inCookie],
    ['header X-CSRF-Token', inHeader],
  ] as const) {
    if (values.length > 1) throw new HttpError(403, `The ${place} comes more than once. ${howTo}`);
    if (!values[0]) throw new HttpError(403, `The ${place} is missing. ${howTo}`);
  }
  const [token = ''] = inHeader;
  if (!isSameSecret(inCookie[0] ?? '', token)) {
    throw new HttpError(
      403,
      `The cookie ${cookieName} and the header X-CSRF-Token differ. ${howTo}`,
    );
  }
  return token;
}
