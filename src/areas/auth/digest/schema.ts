/** What the route of Digest authentication accepts and returns. */

import { Type } from 'typebox';
import { digestAlgorithms } from '../../../http/digest/digest-algorithm.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { securedBy } from '../secured-by.js';

const querySchema = Type.Object({
  algorithm: Type.Optional(
    Type.Array(Type.String(), {
      description: `What to offer, separated by commas: ${digestAlgorithms.join(', ')}. The default is MD5.`,
    }),
  ),
  qop: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'What to offer: auth, auth-int, both separated by a comma, or none. The default is auth.',
    }),
  ),
});

const recordSchema = Type.Object({
  authenticated: Type.Boolean(),
  scheme: Type.Literal('digest'),
  user: Type.String(),
  algorithm: Type.String(),
  qop: Type.String({ description: 'none, when the challenge offered none.' }),
});

export const schema = {
  summary: 'Authenticate by Digest as the demo user',
  description:
    'The first request gets a challenge; the second answers it. A nonce lasts 300 seconds, and its count must grow with each use. GET /api/auth shows the user name and the password under digest.',
  security: securedBy('digest'),
  querystring: querySchema,
  response: { 200: recordSchema, 400: errorSchema, 401: errorSchema, 413: errorSchema },
  responseHeaders: {
    200: {
      'Authentication-Info': Type.Optional(
        Type.String({ description: 'Proves with qop=auth that we know the password, too.' }),
      ),
    },
  },
};
