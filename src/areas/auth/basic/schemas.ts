/** What the routes of Basic authentication accept and return. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { securedBy } from '../secured-by.js';

const recordSchema = Type.Object(
  {
    authenticated: Type.Boolean(),
    scheme: Type.Literal('basic'),
    user: Type.String(),
  },
  { title: 'BasicAuthenticated' },
);

const pathSchema = Type.Object({
  user: Type.String({ description: 'The user name that is right.' }),
  password: Type.String({ description: 'The password that is right.' }),
});

const hiddenPathSchema = Type.Object({
  a: Type.String({ description: 'The user name that is right.' }),
  b: Type.String({ description: 'The password that is right.' }),
});

export const knowUser = {
  summary: 'Authenticate by Basic as the demo user',
  description: 'GET /api/auth shows the user name and the password under basic.',
  security: securedBy('basic'),
  response: { 200: recordSchema, 400: errorSchema, 401: errorSchema },
};

export const readPath = {
  summary: 'Authenticate by Basic as the user in the path',
  description: 'Any user name without a colon, and any password, percent-encoded.',
  security: securedBy('pathBasic'),
  params: pathSchema,
  response: { 200: recordSchema, 400: errorSchema, 401: errorSchema },
};

export const hide = {
  summary: 'Authenticate by Basic, or get 404 without a challenge',
  description: 'For clients that must send credentials without waiting for a challenge.',
  security: securedBy('pathBasic'),
  params: hiddenPathSchema,
  response: { 200: recordSchema, 404: errorSchema },
};
