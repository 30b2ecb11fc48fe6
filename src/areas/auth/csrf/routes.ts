/** Protection of a form against cross-site requests: a token in a cookie and again in a header. */

import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App, Services } from '../../../server/area.js';
import { errorSchema } from '../../../server/error-schema.js';
import { headerValues } from '../../../server/header-values.js';
import { HttpError } from '../../../server/http-error.js';
import { cookieValues } from '../cookie-values.js';
import { isSameSecret } from '../is-same-secret.js';
import type { KeyedMac } from '../keyed-mac.js';
import { csrfTokenFault, csrfTokenSeconds, issueCsrfToken } from './csrf-token.js';

const cookieName = 'XSRF-TOKEN';
const howTo = `GET /api/auth/csrf/token gives a token and sets it as the cookie ${cookieName}; send both the cookie and the same value as X-CSRF-Token.`;

const tokenSchema = Type.Object({ csrfToken: Type.String(), message: Type.String() });

const submittedSchema = Type.Object({
  message: Type.String(),
  submittedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
});

export function addCsrfRoutes(app: App, services: Services, mac: KeyedMac): void {
  const { sandboxOf, baseUrlOf } = services;

  app.get(
    '/api/auth/csrf/token',
    {
      schema: {
        summary: 'A CSRF token, also set as a cookie',
        description:
          'The cookie is sent back by the client, the token in a header as well: only a page of this origin can do both.',
        response: { 200: tokenSchema, 400: errorSchema },
        responseHeaders: {
          200: {
            'Set-Cookie': Type.String({
              description: `The cookie ${cookieName}, readable by scripts.`,
            }),
          },
        },
      },
    },
    async (request, reply) => {
      const sandbox = sandboxOf(request);
      const csrfToken = issueCsrfToken(mac, sandbox.name, await sandbox.now());
      const cookie = stringifySetCookie({
        name: cookieName,
        value: csrfToken,
        path: '/',
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
  );

  app.post(
    '/api/auth/csrf/submit',
    {
      schema: {
        summary: 'Takes a form that carries its CSRF token',
        description:
          'The token must be one of ours, and the same in the cookie and in the header. A body is not looked at.',
        described: {
          headers: { 'X-CSRF-Token': Type.String({ description: 'The value of the cookie.' }) },
          cookies: {
            [cookieName]: Type.String({ description: 'As GET /api/auth/csrf/token set it.' }),
          },
        },
        response: { 200: submittedSchema, 400: errorSchema, 403: errorSchema },
      },
    },
    async (request) => {
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
  );
}

/** The token that cookie and header agree on; whether it is ours has not been looked at. */
function doublySubmitted(request: FastifyRequest): string {
  const inCookie = cookieValues(request.headers.cookie, cookieName);
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
