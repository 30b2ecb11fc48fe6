/** What the GraphQL endpoint accepts and returns, for its description. */

import { Type } from 'typebox';
import type { Reply } from '../../http/exchange.js';
import { errorSchema, notAcceptableSchema } from '../../http/schemas/error-schema.js';
import { ifNoneMatch, optional, vary } from '../../http/schemas/header-schemas.js';
import { pageResponseHeaders } from '../../site/send-page.js';

const requestSchema = Type.Object(
  {
    query: Type.String({ minLength: 1, description: 'The GraphQL document.' }),
    variables: nullable('object', 'Values for its variables.'),
    operationName: nullable('string', 'Which operation to run, where the document has several.'),
    extensions: nullable('object', 'Ignored.'),
  },
  { title: 'GraphQLRequest' },
);

function nullable(type: 'object' | 'string', description: string) {
  return Type.Optional(Type.Unsafe<unknown>({ type: [type, 'null'], description }));
}

const entrySchema = Type.Object({
  message: Type.String(),
  locations: Type.Optional(
    Type.Array(Type.Object({ line: Type.Integer(), column: Type.Integer() })),
  ),
  path: Type.Optional(
    // One list of types: the viewer of the reference finds fault with alternatives this deep.
    Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
  ),
  extensions: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
});

/** Typed as the JSON text that handlers return, so that nothing writes it a second time. */
const responseSchema = Type.Unsafe<string | Reply>(
  Type.Object(
    {
      errors: Type.Optional(Type.Array(entrySchema)),
      data: Type.Optional(
        Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true }),
      ),
    },
    { title: 'GraphQLResponse' },
  ),
);

/** In either media type; which one, Accept says. */
const inBothTypes = {
  'application/graphql-response+json': { schema: responseSchema },
  'application/json': { schema: responseSchema },
};

const text = { schema: Type.Unsafe<string>({ type: 'string' }) };

/** Any values: what is wrong with one is told in GraphQL's shape, not in REST's. */
const querySchema = Type.Object({
  query: Type.Optional(Type.Unknown({ description: 'The GraphQL document; no mutation.' })),
  variables: Type.Optional(
    Type.Unknown({ description: 'Values for its variables, a JSON object.' }),
  ),
  operationName: Type.Optional(
    Type.Unknown({ description: 'Which operation to run, where the document has several.' }),
  ),
  sdl: Type.Optional(Type.Unknown({ description: 'When present, the response is the schema.' })),
  token: Type.Optional(Type.Unknown({ description: 'Opens this event stream, from PUT.' })),
});

const token = Type.Optional(Type.String({ description: 'Which event stream; from PUT.' }));
const ofStream = { 'X-GraphQL-Event-Stream-Token': token };
const inAddress = { token };

const unbuffered = { 'X-Accel-Buffering': Type.Optional(Type.Literal('no')) };

const responses = {
  200: { content: inBothTypes },
  400: { content: inBothTypes },
  406: { content: { 'application/graphql-response+json': { schema: responseSchema } } },
};

export const postSchema = {
  summary: 'Run a GraphQL query or mutation',
  description:
    'The response is application/graphql-response+json, or application/json for a client whose Accept wants that more; then the status is 200 even for a document that is rejected. A subscription wants text/event-stream, or the token of an event stream that is open. The language is described by `GET /graphql?sdl`.',
  described: { headers: ofStream, body: { 'application/json': requestSchema } },
  response: {
    ...responses,
    200: { content: { ...inBothTypes, 'text/event-stream': text } },
    202: Type.Null({ description: 'The result comes on the event stream.' }),
    404: errorSchema,
    409: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: { 200: unbuffered },
};

export const getSchema = {
  summary: 'Run a GraphQL query, or open the editor in a browser',
  description:
    'A browser, which wants text/html, gets the editor when there is no query. With ?sdl the response is the schema. A WebSocket speaks graphql-transport-ws.',
  querystring: querySchema,
  described: { headers: ifNoneMatch },
  response: {
    ...responses,
    200: {
      description: 'The outcome of the query, the schema, or the editor.',
      content: {
        ...inBothTypes,
        'text/event-stream': text,
        'application/graphql': text,
        'text/html': text,
      },
    },
    101: Type.Null({ description: 'The connection is a WebSocket from here on.' }),
    304: Type.Null({ description: 'The browser has the editor already.' }),
    404: errorSchema,
    405: { description: 'A mutation, which requires POST.', content: inBothTypes },
    409: errorSchema,
  },
  responseHeaders: {
    101: {
      Upgrade: Type.Literal('websocket'),
      'Sec-WebSocket-Accept': Type.String({ description: 'What the key becomes.' }),
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
};

export const putSchema = {
  summary: 'Reserve an event stream for many operations',
  description:
    'The response is a token, good for a minute: GET with it and with Accept: text/event-stream opens the stream, POST with it and with extensions.operationId asks for an operation, DELETE ends one.',
  response: {
    201: {
      description: 'The token.',
      content: { 'text/plain': { schema: Type.Unsafe<string | Reply>({ type: 'string' }) } },
    },
    406: notAcceptableSchema,
    409: errorSchema,
  },
};

export const deleteSchema = {
  summary: 'End an operation of an event stream',
  described: {
    headers: ofStream,
    querystring: { ...inAddress, operationId: Type.String() },
  },
  response: {
    200: Type.Null({ description: 'It has ended.' }),
    400: errorSchema,
    404: errorSchema,
  },
};
