/** The GraphQL endpoint: GraphQL over HTTP, and over Server-Sent Events. */

import { type TSchema, Type } from 'typebox';
import { errorSchema, notAcceptableSchema } from '#http/schemas/error-schema.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { endpoint, open, secret, unvalidated } from '#kit/endpoint.js';
import { pageResponseHeaders } from '#kit/pages/send-page.js';
import { path } from './path.js';
import { onlyReads } from './request/only-reads.js';
import type { Responder } from './responder.js';
import { reserve, stop } from './streams/streams.js';

const nullable = (type: 'object' | 'string', description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ type: [type, 'null'], description }));

const requestSchema = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        description: 'The GraphQL document. Optional if `extensions` has its hash.',
      }),
    ),
    variables: nullable('object', 'Values for its variables.'),
    operationName: nullable('string', 'The operation to run, if the document has several.'),
    extensions: nullable(
      'object',
      'A persisted query is `{"persistedQuery": {"version": 1, "sha256Hash": "…"}}`.',
    ),
  },
  { title: 'GraphQLRequest' },
);

const errorEntrySchema = Type.Object({
  message: Type.String(),
  locations: Type.Optional(
    Type.Array(Type.Object({ line: Type.Integer(), column: Type.Integer() })),
  ),
  path: Type.Optional(
    // One list of types, because the viewer of the reference misrenders alternatives at this depth.
    Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
  ),
  extensions: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
});

const responseSchema = Type.Object(
  {
    errors: Type.Optional(Type.Array(errorEntrySchema)),
    data: Type.Optional(
      Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true }),
    ),
  },
  { title: 'GraphQLResponse' },
);

const contentOf = (schema: TSchema, ...types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const newerType = 'application/graphql-response+json';
/** In either media type, as Accept selects. */
const inBothTypes = contentOf(responseSchema, newerType, 'application/json');
const text = Type.Unsafe<string>({ type: 'string' });

const responses = {
  200: { content: inBothTypes },
  400: { content: inBothTypes },
  406: { content: contentOf(responseSchema, newerType) },
};

const unbuffered = { 'X-Accel-Buffering': Type.Optional(Type.Literal('no')) };

const ofStream = {
  'X-GraphQL-Event-Stream-Token': Type.Optional(
    Type.String({ description: 'Token of the event stream, from PUT.' }),
  ),
};

export const runPosted = (responder: Responder) =>
  endpoint('POST', path, {
    summary: 'Run a GraphQL query or mutation',
    description:
      'The response is application/graphql-response+json, or application/json if Accept prefers that; then even a rejected document gets 200. A subscription needs text/event-stream, or the token of an open event stream. `GET /graphql?sdl` describes the schema. An unknown hash of a persisted query gets 200 with PERSISTED_QUERY_NOT_FOUND; send its document with it once.',
    headers: unvalidated(ofStream),
    onlyReads,
    bodies: { 'application/json': requestSchema },
    responses: {
      ...responses,
      200: { content: { ...inBothTypes, ...contentOf(text, 'text/event-stream') } },
      202: Type.Null({ description: 'The result is sent on the event stream.' }),
      404: errorSchema,
      409: errorSchema,
      413: errorSchema,
      415: errorSchema,
    },
    responseHeaders: { 200: unbuffered },
    handle: (request, reply) => responder.post(request, reply),
  });

/** Accepts any value, because faults are reported in GraphQL's shape, not in REST's. */
const anyValue = (description: string) => Type.Optional(Type.Unknown({ description }));

export const runQuery = (responder: Responder) =>
  endpoint('GET', path, {
    summary: 'Run a GraphQL query, or open the editor in a browser',
    description:
      'Browsers, which accept text/html, get the editor if there is no query. With ?sdl the response is the schema. WebSockets use graphql-transport-ws.',
    query: open({
      query: secret(anyValue('The GraphQL document, which cannot be a mutation.')),
      variables: secret(anyValue('Values for its variables, a JSON object.')),
      operationName: anyValue('The operation to run, if the document has several.'),
      extensions: secret(
        anyValue('A JSON object, for example with the hash of a persisted query.'),
      ),
      sdl: anyValue('When present, the response is the schema.'),
      token: anyValue('Opens this event stream; the token is from PUT.'),
    }),
    headers: unvalidated(ifNoneMatch),
    responses: {
      ...responses,
      200: {
        description: 'The result of the query, the schema, or the editor.',
        content: {
          ...inBothTypes,
          ...contentOf(text, 'text/event-stream', 'application/graphql', 'text/html'),
        },
      },
      101: Type.Null({ description: 'The connection is now a WebSocket.' }),
      304: Type.Null({ description: 'The cached editor is still valid.' }),
      404: errorSchema,
      405: { description: 'A mutation, which requires POST.', content: inBothTypes },
      409: errorSchema,
    },
    responseHeaders: {
      101: {
        Upgrade: Type.Literal('websocket'),
        'Sec-WebSocket-Accept': Type.String({ description: 'The accept key.' }),
        'Sec-WebSocket-Protocol': Type.Optional(Type.Literal('graphql-transport-ws')),
        'Sec-WebSocket-Extensions': Type.Optional(Type.String()),
      },
      200: { ...vary, ...optional(pageResponseHeaders[200]), ...unbuffered },
      304: { ...vary, ...pageResponseHeaders[304] },
      404: vary,
      405: vary,
      406: vary,
      409: vary,
      400: { Vary: Type.Optional(vary.Vary) },
    },
    isOpen: (request) => responder.isOpenTo(request),
    handle: (request, reply) => responder.get(request, reply),
  });

export const reserveStream = endpoint('PUT', path, {
  summary: 'Reserve an event stream for many operations',
  description:
    'The response is a token that is valid for a minute. GET with the token and Accept: text/event-stream opens the stream. POST with the token and extensions.operationId runs an operation; DELETE ends it.',
  responses: {
    201: { description: 'The token.', content: contentOf(text, 'text/plain') },
    406: notAcceptableSchema,
    409: errorSchema,
  },
  handle: reserve,
});

export const endOperation = endpoint('DELETE', path, {
  summary: 'End an operation of an event stream',
  headers: unvalidated(ofStream),
  query: unvalidated({
    token: ofStream['X-GraphQL-Event-Stream-Token'],
    operationId: Type.String(),
  }),
  responses: {
    200: Type.Null({ description: 'It has ended.' }),
    404: errorSchema,
  },
  handle: stop,
});
