/** What the rate limit's routes accept and return. */

import { Type } from 'typebox';
import { errorSchema } from '../../kit/describe/error-schema.js';
import { optional } from '../../kit/describe/header-schemas.js';

const usage = {
  clientId: Type.String({ description: 'id: and the X-Client-Id header, or ip: and the address.' }),
  used: Type.Integer({ description: 'Accepted requests of this window.' }),
  remaining: Type.Integer(),
  limit: Type.Integer(),
};

const headers = Type.Object({
  'x-client-id': Type.Optional(
    Type.String({ description: 'Whose window it is; by default that of the IP address.' }),
  ),
});

const windowHeaders = {
  'X-RateLimit-Limit': Type.Integer({ description: 'How many requests the window allows.' }),
  'X-RateLimit-Remaining': Type.Integer({ description: 'How many are left.' }),
  'X-RateLimit-Reset': Type.Integer({ description: 'When it ends, in Unix seconds.' }),
};

export const countSchema = {
  summary: 'Count a request, and reject it beyond the limit',
  description:
    'The window begins with the first request and lasts 60 seconds. `limit` and `window` give ' +
    'the window that this request opens other figures; one that is open keeps its own.',
  headers,
  querystring: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Requests in a window.' }),
    ),
    window: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, description: 'In seconds.' })),
  }),
  response: {
    200: Type.Object({ message: Type.String(), ...usage, windowSeconds: Type.Integer() }),
    400: errorSchema,
    429: Type.Object({
      ...errorSchema.properties,
      retryAfter: Type.Integer({ description: 'Seconds until the window ends.' }),
    }),
  },
  responseHeaders: { 200: windowHeaders, 400: optional(windowHeaders), 429: windowHeaders },
};

export const statusSchema = {
  summary: 'Get how much of the window is used',
  description: 'Does not use a request.',
  headers,
  response: {
    200: Type.Object({
      ...usage,
      resetsInSeconds: Type.Integer({ description: '0 when no window is open.' }),
    }),
  },
};

export const resetSchema = {
  summary: "Clear the caller's window",
  description: 'Other callers keep theirs.',
  headers,
  response: { 200: Type.Object({ message: Type.String(), clientId: Type.String() }) },
};
