/** What redirects accept and return, and how they are described. */

import { type Static, Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { anyBody, anyQuery } from '../../../kit/describe/any-body.js';
import { locationForms } from './redirect-location.js';

export const maxHops = 20;

const statusList = '(?:30[12378])';

const shape = {
  status: Type.String({
    default: '302',
    pattern: `^${statusList}(?:,${statusList}){0,19}$`,
    description: '301, 302, 303, 307 or 308; several separated by commas are used in turn.',
  }),
  form: Type.Unsafe<(typeof locationForms)[number]>({
    type: 'string',
    enum: [...locationForms],
    default: 'path',
    description: 'What Location is: an absolute path, an absolute URL, or a relative reference.',
  }),
};

const querySchema = Type.Object({
  ...shape,
  to: Type.Optional(
    Type.String({
      description: 'Where it ends: a path of this service; /api/http/redirect/end by default.',
    }),
  ),
  hops: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: maxHops,
    description: 'How many redirects came before; each adds itself.',
  }),
});

export type RedirectQuery = Static<typeof querySchema>;

const redirectSchema = Type.Object({
  status: Type.Integer(),
  location: Type.String({ description: 'As in the header.' }),
});

const location = { Location: Type.String({ description: 'Where to continue.' }) };

const free = {
  description: 'The status that was asked for, and Location; or any failure.',
  content: { '*/*': { schema: Type.Unknown() } },
};

const redirecting = { 302: redirectSchema, default: free, 400: errorSchema };

export const redirect = {
  summary: 'Redirect as often as asked, within this service',
  description: `Up to ${maxHops} times. Never to another host.`,
  params: Type.Object({
    hops: Type.String({ description: `1 to ${maxHops}: how many redirects are left.` }),
  }),
  querystring: querySchema,
  described: anyBody,
  response: { ...redirecting, 404: errorSchema },
  responseHeaders: { 302: location },
};

export const loop = {
  summary: 'Redirect to itself',
  description: 'A client must notice.',
  querystring: Type.Object(shape),
  described: anyBody,
  response: redirecting,
  responseHeaders: { 302: location },
};

export const missingLocation = {
  summary: 'Redirect without Location',
  description: 'A client has nothing to follow, so this is its response.',
  querystring: Type.Object({ status: shape.status }),
  described: anyBody,
  response: { 302: Type.Object({ status: Type.Integer() }), default: free, 400: errorSchema },
};

const nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

export const end = {
  summary: 'Report what of a request survived its redirects',
  description: 'Also where there were none.',
  described: {
    querystring: {
      hops: Type.Optional(Type.Integer({ description: 'As the redirects counted.' })),
      ...anyQuery,
    },
    ...anyBody,
  },
  response: {
    200: Type.Object({
      method: Type.String(),
      body: nullable('As text, or as base64 when it is not UTF-8; at most 64 KiB of it.'),
      bodyEncoding: Type.Optional(Type.Literal('base64')),
      bodyTruncated: Type.Optional(Type.Literal(true)),
      authorization: nullable('The Authorization header.'),
      cookies: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      referer: nullable('The Referer header.'),
      hops: Type.Integer({ description: 'How many redirects led here.' }),
    }),
    413: errorSchema,
  },
};
