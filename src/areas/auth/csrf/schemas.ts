/** What the routes for CSRF tokens accept and return. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { anyBody } from '../../../kit/describe/any-body.js';

export const cookieName = 'XSRF-TOKEN';

const tokenSchema = Type.Object({ csrfToken: Type.String(), message: Type.String() });

const submittedSchema = Type.Object({
  message: Type.String(),
  submittedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
});

export const giveToken = {
  summary: 'Get a CSRF token, also as a cookie',
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
};

export const submit = {
  summary: 'Submit a form with its CSRF token',
  description:
    'The token must be one of ours, and the same in the cookie and in the header. A body is ignored.',
  described: {
    ...anyBody,
    headers: { 'X-CSRF-Token': Type.String({ description: 'The value of the cookie.' }) },
    cookies: {
      [cookieName]: Type.String({ description: 'As GET /api/auth/csrf/token set it.' }),
    },
  },
  response: { 200: submittedSchema, 400: errorSchema, 403: errorSchema },
};
