/** The GraphQL endpoint (GraphQL over HTTP), over the same records as the REST areas. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { valuesIn } from '../../config/setting.js';
import type { Area, Services } from '../../server/area.js';
import { addVary } from '../../server/caching.js';
import { HttpError } from '../../server/http-error.js';
import { JsonSyntaxError, parseJson } from '../../server/parse-json.js';
import { prefersPage } from '../../server/prefers-page.js';
import {
  bodyText,
  maxParsedBodyBytes,
  mediaType as mediaTypeOf,
  readBody,
  refuseContentEncoding,
} from '../../server/request-body.js';
import { turns } from '../../server/work-in-turns.js';
import { sendPage } from '../../site/send-page.js';
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
import { errorsBody, requestError, shorten } from './format-error.js';
import {
  MalformedRequestError,
  type Parameters,
  readBodyParameters,
  readQueryParameters,
} from './read-parameters.js';
import { readSchemaText } from './read-schema-text.js';
import { getSchema, postSchema } from './route-schemas.js';
import { graphqlSettings } from './settings.js';
import { shapeFailure } from './shape-failure.js';

const path = '/graphql';

export const graphqlArea = {
  name: 'graphql',
  title: 'GraphQL',
  caching: 'sandbox',
  page: { path, way: ['GraphQL editor', 'Schema, completion, examples'] },
  banner: (baseUrl) => ['GraphQL', baseUrl + path],
  settings: graphqlSettings,
  start: `${path}?query=${encodeURIComponent('{ books { id title author } }')}`,
  summary: 'A GraphQL API over thirteen datasets: 20 queries and 6 mutations.',
  examples: () => graphqlExamples,
  shapeFailure,
  imports: [
    {
      path: `${path}?sdl`,
      name: 'GraphQL schema',
      format: 'GraphQL SDL',
      for: 'GraphQL clients and generators of types.',
    },
  ],

  addRoutes(app, services) {
    const { post, get } = createHandlers(services);
    app.post(path, { schema: postSchema }, post);
    // A page cannot be opened with a header.
    app.get(path, { schema: getSchema, config: { isOpenTo: asksForPage } }, get);
  },
} satisfies Area;

function createHandlers(services: Services) {
  const introspection = valuesIn(services.config, graphqlSettings).introspection === 'on';
  let engine: Engine | undefined;

  /** graphql-js and the schema are a third of what the service weighs, so they come when needed. */
  async function loadEngine(): Promise<Engine> {
    const { createEngine } = await import('./create-engine.js');
    const options = { schemaText: readSchemaText(), datasets: services.datasets, introspection };
    engine ??= createEngine(options);
    return engine;
  }

  async function post(request: FastifyRequest, reply: FastifyReply) {
    checkContentType(request);
    const mediaType = chooseMediaType(request.headers.accept);
    if (mediaType === undefined) return head(reply, mediaType, 'not-acceptable', notAcceptable);
    refuseContentEncoding(request.headers['content-encoding']);
    const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
    return answer(request, reply, mediaType, () => parsePosted(bytes));
  }

  async function get(request: FastifyRequest, reply: FastifyReply) {
    const parameters = request.query as Readonly<Record<string, unknown>>;
    addVary(reply, 'Accept');
    if (Object.hasOwn(parameters, 'sdl')) return giveSchema(reply, introspection);
    if (asksForPage(request)) return sendPage(request, reply, 'ide');
    const mediaType = chooseMediaType(request.headers.accept);
    if (mediaType === undefined) return head(reply, mediaType, 'not-acceptable', notAcceptable);
    return answer(request, reply, mediaType, () => readQueryParameters(parameters));
  }

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
    const isLong = parameters.query.length > longDocument;
    const outcome = whenKnown(isLong ? turns.next() : undefined, () =>
      whenKnown(engine ?? loadEngine(), (loaded) => loaded.run(parameters, caller)),
    );
    return whenKnown(outcome, ({ kind, body }) => head(reply, mediaType, kind, body));
  }

  return { post, get };
}

/** In characters: what is longer may ask for megabytes, and is answered in turn with others of that kind. */
const longDocument = 1000;

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

/** Of a header that a message shows, in characters. */
const maxShown = 100;

/** Other content types find nothing here; throws 404. */
function checkContentType({ headers }: FastifyRequest): void {
  const contentType = headers['content-type'];
  if (mediaTypeOf(contentType) !== 'application/json') {
    const sent =
      contentType === undefined
        ? 'no Content-Type'
        : `Content-Type ${shorten(contentType, maxShown)}`;
    throw new HttpError(
      404,
      `POST ${path} takes Content-Type application/json alone, and got ${sent}.`,
    );
  }
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
