/** The GraphQL endpoint (GraphQL over HTTP), over the same records as the REST areas. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { valuesIn } from '../../config/setting.js';
import type { Area } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { ifNoneMatch, optional, vary } from '../../server/header-schemas.js';
import { HttpError } from '../../server/http-error.js';
import { JsonSyntaxError, parseJson } from '../../server/parse-json.js';
import { prefersPage } from '../../server/prefers-page.js';
import {
  bodyText,
  maxParsedBodyBytes,
  mediaType as mediaTypeOf,
  readBody,
} from '../../server/request-body.js';
import { pageAnswerHeaders, sendPage } from '../../site/send-page.js';
import type { Awaitable } from '../../state/state.js';
import { whenKnown } from '../../state/when-known.js';
import type { Caller, Engine } from './create-engine.js';
import {
  chooseMediaType,
  decideAnswer,
  type MediaType,
  type OutcomeKind,
} from './decide-answer.js';
import { graphqlExamples } from './examples.js';
import { errorsBody, requestError } from './format-error.js';
import {
  MalformedRequestError,
  type Parameters,
  readBodyParameters,
  readQueryParameters,
} from './read-parameters.js';
import { readSchemaText } from './read-schema-text.js';
import { graphqlSettings } from './settings.js';

const path = '/graphql';

const requestSchema = Type.Object(
  {
    query: Type.String({ minLength: 1, description: 'The GraphQL document.' }),
    variables: nullable('object', 'Values for its variables.'),
    operationName: nullable('string', 'Which operation to run, where the document has several.'),
    extensions: nullable('object', 'Read by nobody here.'),
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
  path: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Integer()]))),
  extensions: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
});

/** Typed as the JSON text that handlers return, so that nothing writes it a second time. */
const responseSchema = Type.Unsafe<string | FastifyReply>(
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
  sdl: Type.Optional(Type.Unknown({ description: 'When present, the answer is the schema.' })),
});

const responses = {
  200: { content: inBothTypes },
  400: { content: inBothTypes },
  406: { content: { 'application/graphql-response+json': { schema: responseSchema } } },
};

export const graphqlArea = {
  name: 'graphql',
  title: 'GraphQL',
  page: { path, way: ['GraphQL editor', 'Schema, completion, examples'] },
  banner: (baseUrl) => ['GraphQL', baseUrl + path],
  settings: graphqlSettings,
  start: `${path}?query=${encodeURIComponent('{ books { id title author } }')}`,
  summary: 'A GraphQL API over thirteen datasets: 20 queries and 6 mutations.',
  examples: () => graphqlExamples,
  imports: [
    {
      path: `${path}?sdl`,
      name: 'GraphQL schema',
      format: 'GraphQL SDL',
      for: 'GraphQL clients and generators of types.',
    },
  ],

  addRoutes(app, services) {
    const introspection = valuesIn(services.config, graphqlSettings).introspection === 'on';
    let engine: Engine | undefined;

    /** graphql-js and the schema are a third of what the service weighs, so they come when needed. */
    async function loadEngine(): Promise<Engine> {
      const { createEngine } = await import('./create-engine.js');
      const options = { schemaText: readSchemaText(), datasets: services.datasets, introspection };
      engine ??= createEngine(options);
      return engine;
    }

    app.post(
      path,
      {
        schema: {
          summary: 'Runs a GraphQL query or mutation',
          description:
            'The answer is application/graphql-response+json, or application/json for a client whose Accept wants that more; then the status is 200 even for a document that is refused. The language is described by `GET /graphql?sdl`.',
          described: { body: { 'application/json': requestSchema } },
          response: { ...responses, 404: errorSchema, 413: errorSchema, 415: errorSchema },
        },
      },
      async (request, reply) => {
        checkContentType(request);
        const mediaType = chooseMediaType(request.headers.accept);
        if (mediaType === undefined) return head(reply, mediaType, 'not-acceptable', notAcceptable);
        checkContentEncoding(request);
        const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
        return answer(request, reply, mediaType, () => parsePosted(bytes));
      },
    );

    app.get(
      path,
      {
        // A page cannot be opened with a header.
        config: { isOpenTo: asksForPage },
        schema: {
          summary: 'Runs a GraphQL query; shows the editor to a browser',
          description:
            'A browser, which wants text/html, gets the editor when there is no query. With ?sdl the answer is the schema.',
          querystring: querySchema,
          described: { headers: ifNoneMatch },
          response: {
            ...responses,
            200: {
              description: 'The outcome of the query, the schema, or the editor.',
              content: { ...inBothTypes, 'application/graphql': text, 'text/html': text },
            },
            304: Type.Null({ description: 'The browser has the editor already.' }),
            405: { description: 'A mutation, which takes POST.', content: inBothTypes },
          },
          responseHeaders: {
            200: { ...vary, ...optional(pageAnswerHeaders[200]) },
            304: { ...vary, ...pageAnswerHeaders[304] },
            405: vary,
            406: vary,
            400: { Vary: Type.Optional(vary.Vary) },
          },
        },
      },
      async (request, reply) => {
        const { accept } = request.headers;
        const parameters = request.query as Readonly<Record<string, unknown>>;
        reply.header('vary', 'Accept');
        if (Object.hasOwn(parameters, 'sdl')) return giveSchema(reply, introspection);
        if (asksForPage(request)) return sendPage(request, reply, 'ide');
        const mediaType = chooseMediaType(accept);
        if (mediaType === undefined) return head(reply, mediaType, 'not-acceptable', notAcceptable);
        return answer(request, reply, mediaType, () => readQueryParameters(parameters));
      },
    );

    function answer(
      request: FastifyRequest,
      reply: FastifyReply,
      mediaType: MediaType,
      read: () => Parameters,
    ): Awaitable<string> {
      let parameters: Parameters;
      try {
        parameters = read();
      } catch (error) {
        if (!(error instanceof MalformedRequestError)) throw error;
        const body = errorsBody([requestError('INVALID_REQUEST', error.message)]);
        return head(reply, mediaType, 'malformed', body);
      }
      const caller: Caller = {
        sandbox: services.sandboxOf(request),
        baseUrl: () => services.baseUrlOf(request),
        mayMutate: request.method === 'POST',
        onFault: (fault) => services.reportFailure(request, fault),
      };
      const outcome = whenKnown(engine ?? loadEngine(), (loaded) => loaded.run(parameters, caller));
      return whenKnown(outcome, ({ kind, body }) => head(reply, mediaType, kind, body));
    }
  },
} satisfies Area;

/** Whether a browser opens the address, rather than a client asking something. */
function asksForPage({ query, headers }: FastifyRequest): boolean {
  const parameters = query as Readonly<Record<string, unknown>>;
  const asksForData = parameters.query || Object.hasOwn(parameters, 'sdl');
  return !asksForData && prefersPage(headers.accept);
}

/** Sets the status and headers of an answer, and returns its body. */
function head(
  reply: FastifyReply,
  mediaType: MediaType | undefined,
  kind: OutcomeKind,
  body: string,
): string {
  const { status, contentType, allow, retryAfter } = decideAnswer(mediaType, kind);
  if (allow !== undefined) reply.header('allow', allow);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.code(status).header('content-type', contentType);
  return body;
}

const notAcceptable = errorsBody([
  requestError(
    'NOT_ACCEPTABLE',
    'Answers are application/graphql-response+json or application/json; Accept must allow one of them.',
  ),
]);

function giveSchema(reply: FastifyReply, introspection: boolean): string {
  if (introspection) {
    reply.header('content-type', 'application/graphql; charset=utf-8');
    return readSchemaText();
  }
  const message = 'Introspection is turned off here, and the schema is not given either.';
  const body = errorsBody([requestError('INTROSPECTION_DISABLED', message)]);
  return head(reply, 'application/graphql-response+json', 'refused', body);
}

/** Other content types find nothing here; throws 404. */
function checkContentType({ headers }: FastifyRequest): void {
  const contentType = headers['content-type'];
  if (contentType === 'application/json') return;
  if (mediaTypeOf(contentType) !== 'application/json') {
    const sent = contentType === undefined ? 'no Content-Type' : `Content-Type ${contentType}`;
    throw new HttpError(
      404,
      `POST ${path} takes Content-Type application/json alone, and got ${sent}.`,
    );
  }
}

/** Throws 415 for a compressed body. */
function checkContentEncoding({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'identity') return;
  throw new HttpError(415, `Content-Encoding ${coding} is not taken. Send it plain.`, {
    headers: { 'accept-encoding': 'identity' },
  });
}

function parsePosted(bytes: Buffer): Parameters {
  if (bytes.length === 0) {
    throw new MalformedRequestError(
      'The request has no body. Send a JSON object, as in {"query": "{ books { title } }"}.',
    );
  }
  let body: unknown;
  try {
    body = parseJson(bodyText(bytes));
  } catch (error) {
    // Faults of the body, which get a GraphQL answer here.
    if (error instanceof JsonSyntaxError || error instanceof HttpError) {
      throw new MalformedRequestError(error.message);
    }
    throw error;
  }
  return readBodyParameters(body);
}
