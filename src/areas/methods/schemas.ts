/** What the endpoints for methods accept and return. */

import { Type } from 'typebox';
import { maxBodyBytes } from '../../http/body/request-body.js';
import type { TextOfBytes } from '../../http/json/json-pieces.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { allowedMethods } from '../../http/schemas/header-schemas.js';
import { anyBody, anyQuery } from '../../kit/describe/any-body.js';
import { shownBodyBytes } from './describe-request.js';
import { traceContentType } from './trace-message.js';

const anyObject = (description: string) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, description });
const nullableString = (description: string) =>
  Type.Unsafe<string | TextOfBytes | null>({ type: ['string', 'null'], description });

const echoFields = {
  method: Type.String({ description: 'The method of the request.' }),
  message: Type.String(),
  path: Type.String({ description: 'The path as it was sent, without the query.' }),
  query: anyObject('The query parameters, decoded; repeated ones are arrays.'),
  contentType: nullableString('The Content-Type header as it was sent.'),
  bodyLength: Type.Integer({ description: 'How many bytes the body had.' }),
  bodyTruncated: Type.Boolean({ description: 'Whether `body` is only the first 1 MiB of it.' }),
  body: nullableString('The body as text, or as base64 when it is not UTF-8; null without one.'),
  timestamp: Type.String({
    description: 'When the response was made by the real clock, ISO 8601 in UTC.',
  }),
  bodyEncoding: Type.Optional(
    Type.Literal('base64', { description: 'Present when `body` is base64.' }),
  ),
  json: Type.Optional(Type.Unknown({ description: 'A JSON body, parsed.' })),
  jsonWarnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Numbers that `json` does not show as they were sent.',
    }),
  ),
  form: Type.Optional(anyObject('The fields of a form body; repeated ones are arrays.')),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        filename: Type.String(),
        contentType: Type.String(),
        size: Type.Integer({ description: 'In bytes.' }),
      }),
      { description: 'The files of a multipart body.' },
    ),
  ),
  parseError: Type.Optional(
    Type.String({
      description:
        'Why the query could not be decoded, or the body not parsed as its Content-Type says.',
    }),
  ),
};

const echoSchema = Type.Object(echoFields, { title: 'Echo' });

const anySchema = Type.Object(
  {
    ...echoFields,
    headers: anyObject('The headers as they were sent; repeated ones are arrays.'),
    ip: Type.String({ description: 'The address that the request came from.' }),
    httpVersion: Type.String(),
  },
  { title: 'FullEcho' },
);

const optionsSchema = Type.Object({
  method: Type.String(),
  message: Type.String(),
  endpoints: Type.Array(Type.Object({ method: Type.String(), path: Type.String() })),
});

const echoHeaders = {
  'X-Method': Type.String({ description: 'The method of the request.' }),
  'X-Message': Type.String(),
};

const anyHeaders = { ...echoHeaders, Allow: Type.Optional(allowedMethods.Allow) };

const takesAnything = `Takes any query and any body up to ${maxBodyBytes} bytes, of which the first ${shownBodyBytes} are shown.`;

export const describeMethod = (method: string) => ({
  summary: `Describe a ${method} request`,
  description: takesAnything,
  described: { querystring: anyQuery, ...anyBody },
  response: { 200: echoSchema, 413: errorSchema },
});

export const responseHead = {
  summary: 'Get header fields only',
  description:
    'The response to HEAD has no body, so X-Method and X-Message tell what there is to say.',
  described: { querystring: anyQuery },
  response: { 200: Type.Unsafe<undefined>({ type: 'null' }) },
  responseHeaders: { 200: echoHeaders },
};

export const listEndpoints = {
  summary: 'List the method endpoints',
  description: 'A plain OPTIONS request; preflights of browsers get the response to a preflight.',
  response: { 200: optionsSchema },
  responseHeaders: { 200: allowedMethods },
};

export const traceBack = {
  summary: 'Send a TRACE request back',
  description:
    'The request line and the headers as they arrived, without those that may hold credentials.',
  described: { querystring: anyQuery },
  response: {
    200: {
      description: 'The request.',
      content: { [traceContentType]: { schema: Type.String() } },
    },
  },
  responseHeaders: { 200: echoHeaders },
};

export const describeAny = {
  summary: 'Describe a request of any method',
  description: takesAnything,
  described: { querystring: anyQuery, ...anyBody },
  response: { 200: anySchema, 413: errorSchema },
  responseHeaders: { 200: anyHeaders, 413: anyHeaders },
};
