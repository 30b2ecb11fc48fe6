/** The GraphQL endpoint (GraphQL over HTTP), over the same records as the REST areas. */

import { type Awaitable, whenKnown } from '../../base/awaitable.js';
import { valuesIn } from '../../config/setting.js';
import { addVary } from '../../http/caching/caching.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { JsonSyntaxError, parseJson } from '../../http/json/parse-json.js';
import { prefersPage } from '../../http/prefers-page.js';
import {
  bodyText,
  maxParsedBodyBytes,
  mediaType as mediaTypeOf,
  readBody,
  rejectContentEncoding,
} from '../../http/request-body.js';
import { inSlices } from '../../http/sending/slices.js';
import { streamOf } from '../../http/sending/stream-of.js';
import type { Area, Services } from '../../kit/area.js';
import { doLongWork } from '../../kit/limits/long-work.js';
import { isWebSocketHandshake } from '../../kit/websocket/web-sockets.js';
import { sendPage } from '../../site/send-page.js';
import { StateUnavailableError } from '../../state/state.js';
import type { Engine } from './create-engine.js';
import {
  chooseMediaType,
  decideResponse,
  type MediaType,
  type OutcomeKind,
  prefersEvents,
  takesEvents,
} from './decide-response.js';
import { graphqlExamples } from './examples.js';
import { errorsBody, requestError, shorten } from './format-error.js';
import { HeldOperations } from './held-operations.js';
import { type Body, type Caller, LargeBody } from './outcome.js';
import {
  MalformedRequestError,
  type Parameters,
  readBodyParameters,
  readQueryParameters,
} from './read-parameters.js';
import { readSchemaText } from './read-schema-text.js';
import { deleteSchema, getSchema, postSchema, putSchema } from './route-schemas.js';
import { graphqlSettings } from './settings.js';
import { shapeFailure } from './shape-failure.js';
import { isKeyed, socketCaller } from './socket-caller.js';
import { type Prepare, streamHandlers, tokenOf } from './stream-handlers.js';

const path = '/graphql';

const subprotocol = 'graphql-transport-ws';

export const graphqlArea = {
  name: 'graphql',
  title: 'GraphQL',
  guide: 'graphql',
  defaults: {
    caching: 'sandbox',
  },
  front: {
    page: { path, way: ['GraphQL editor', 'Schema, completion, examples'] },
    banner: (baseUrl) => ['GraphQL', baseUrl + path],
    start: `${path}?query=${encodeURIComponent('{ books { id title author } }')}`,
    examples: () => graphqlExamples,
    imports: [
      {
        path: `${path}?sdl`,
        name: 'GraphQL schema',
        format: 'GraphQL SDL',
        for: 'GraphQL clients and generators of types.',
      },
    ],
  },
  settings: graphqlSettings,
  summary: 'A GraphQL API over thirteen datasets: 20 queries, 6 mutations, 5 subscriptions.',
  failures: { shape: shapeFailure },
  postman: [{ leftOut: { deleteGraphql: 'It ends an operation of a stream that is open.' } }],
  addRoutes(app, services) {
    const { post, get, put, remove, hasSubscriptions } = createHandlers(services);
    app.post(path, { schema: postSchema }, post);
    // A page cannot be opened with a header, and a browser's WebSocket has its key in a message.
    const isOpenTo = (request: Request) =>
      asksForPage(request) ||
      (hasSubscriptions && isWebSocketHandshake(request.raw) && !isKeyed(request.raw));
    app.get(path, { schema: getSchema, config: { isOpenTo } }, get);
    if (!hasSubscriptions) return;
    app.put(path, { schema: putSchema }, put);
    app.delete(path, { schema: deleteSchema }, remove);
  },
} satisfies Area;

function createHandlers(services: Services) {
  const settings = valuesIn(services.config, graphqlSettings);
  const introspection = settings.introspection === 'on';
  const hasSubscriptions = settings.subscriptions === 'on';
  const schemaText = () => readSchemaText(hasSubscriptions);
  const operations = new HeldOperations();
  const streams = streamHandlers(services, operations);
  let engine: Engine | undefined;

  /** graphql-js and the schema are a third of what the service weighs, so they come when needed. */
  async function loadEngine(): Promise<Engine> {
    const { createEngine } = await import('./create-engine.js');
    const { datasets } = services;
    engine ??= createEngine({ schemaText: schemaText(), datasets, introspection });
    return engine;
  }

  async function post(request: Request, reply: Reply) {
    checkContentType(request);
    const mediaType = chooseMediaType(request.headers.accept);
    if (isUnacceptable(request, mediaType)) return rejectMediaType(reply);
    rejectContentEncoding(request.headers['content-encoding']);
    const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
    return response(request, reply, mediaType, () => parsePosted(bytes));
  }

  async function get(request: Request, reply: Reply) {
    const parameters = request.query as Readonly<Record<string, unknown>>;
    if (hasSubscriptions && isWebSocketHandshake(request.raw)) return connect(request, reply);
    addVary(reply, 'Accept');
    if (Object.hasOwn(parameters, 'sdl')) return giveSchema(reply, introspection, schemaText);
    if (asksForPage(request)) return sendPage(request, reply, 'ide');
    const mediaType = chooseMediaType(request.headers.accept);
    if (isUnacceptable(request, mediaType)) return rejectMediaType(reply);
    const token = hasSubscriptions ? tokenOf(request) : undefined;
    if (token !== undefined && takesEvents(request.headers.accept)) {
      return streams.open(request, reply, token, prepare(request, true));
    }
    return response(request, reply, mediaType, () => readQueryParameters(parameters));
  }

  function isUnacceptable({ headers }: Request, mediaType: MediaType | undefined): boolean {
    return mediaType === undefined && !(hasSubscriptions && takesEvents(headers.accept));
  }

  function rejectMediaType(reply: Reply): Reply {
    return head(reply, undefined, 'not-acceptable', notAcceptable(hasSubscriptions));
  }

  function response(
    request: Request,
    reply: Reply,
    mediaType: MediaType | undefined,
    read: () => Parameters,
  ): Awaitable<Reply> {
    let parameters: Parameters;
    try {
      parameters = read();
    } catch (error) {
      if (!(error instanceof MalformedRequestError)) throw error;
      const body = errorsBody([requestError('INVALID_REQUEST', error.message)]);
      return head(reply, mediaType, 'malformed', body);
    }
    if (hasSubscriptions) {
      const token = request.method === 'POST' ? tokenOf(request) : undefined;
      if (token !== undefined) return ask(request, reply, mediaType, token, parameters);
      if (prefersEvents(request.headers.accept)) return stream(request, reply, parameters);
    }
    const isLong = parameters.query.length > longDocument;
    const caller = callerOf(request);
    const run = () =>
      whenKnown(settled(services.dueWork.settle(caller.sandbox)), () =>
        whenKnown(engine ?? loadEngine(), (loaded) => loaded.run(parameters, caller)),
      );
    const outcome = isLong ? doLongWork(request, run) : run();
    return whenKnown(outcome, ({ kind, body }) =>
      kind === 'subscription' && takesEvents(request.headers.accept)
        ? stream(request, reply, parameters)
        : head(reply, mediaType, kind, body),
    );
  }

  async function connect(request: Request, reply: Reply): Promise<Reply> {
    const { protocols } = services.webSockets.readHandshake(request, reply);
    const { serveSocket } = await import('./serve-socket.js');
    const own = {
      request,
      operations,
      // It changes what it is asked to, whatever method opened it.
      prepare: (parameters: Parameters) => prepare(request, true)(parameters),
      admit: socketCaller(request, services),
      report: (error: unknown) => services.reportFailure(request, error),
    };
    return services.webSockets.accept(request, reply, (socket) => serveSocket(socket, own), {
      protocol: protocols.find((name) => name === subprotocol),
    });
  }

  function callerOf(request: Request, mayMutate = request.method === 'POST'): Caller {
    return {
      sandbox: services.sandboxOf(request),
      baseUrl: () => services.baseUrlOf(request),
      mayMutate,
      onFault: (fault) => services.reportFailure(request, fault),
    };
  }

  function prepare(request: Request, mayMutate?: boolean): Prepare {
    return async (parameters) =>
      (engine ?? (await loadEngine())).prepare(parameters, callerOf(request, mayMutate));
  }

  async function stream(request: Request, reply: Reply, parameters: Parameters): Promise<Reply> {
    const prepared = await prepare(request)(parameters);
    if ('kind' in prepared && prepared.kind === 'method-not-allowed') {
      return head(reply, undefined, prepared.kind, prepared.body);
    }
    return streams.distinct(request, reply, prepared);
  }

  /** What is wrong with an operation is told here; its result comes on the stream. */
  async function ask(
    request: Request,
    reply: Reply,
    mediaType: MediaType | undefined,
    token: string,
    parameters: Parameters,
  ): Promise<Reply> {
    const { operationId } = parameters;
    if (operationId === undefined) return head(reply, mediaType, 'malformed', noOperationId);
    const prepared = await prepare(request)(parameters);
    if ('kind' in prepared) return head(reply, mediaType, prepared.kind, prepared.body);
    return streams.ask(request, reply, token, operationId, parameters);
  }

  return { post, get, put: streams.reserve, remove: streams.stop, hasSubscriptions };
}

/** Where the state is away, the operation says so in the words of its protocol. */
function settled(work: Awaitable<void>): Awaitable<void> {
  if (!(work instanceof Promise)) return work;
  return work.catch((error) => {
    if (!(error instanceof StateUnavailableError)) throw error;
  });
}

const noOperationId = errorsBody([
  requestError(
    'INVALID_REQUEST',
    'extensions.operationId must be a string that names the operation on its event stream.',
  ),
]);

/** In characters: what is longer may ask for megabytes, and waits its turn with others of that kind. */
const longDocument = 1000;

/** Whether a browser opens the address, rather than a client asking something. */
function asksForPage({ query, headers }: Request): boolean {
  const parameters = query as Readonly<Record<string, unknown>>;
  const asksForData = parameters.query || Object.hasOwn(parameters, 'sdl');
  return !asksForData && prefersPage(headers.accept);
}

/** Sets the status and headers of a response, and returns its body. */
function head(
  reply: Reply,
  mediaType: MediaType | undefined,
  kind: OutcomeKind,
  body: Body,
): Reply {
  const { status, contentType, allow, retryAfter } = decideResponse(mediaType, kind);
  if (allow !== undefined) reply.header('allow', allow);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.code(status).header('content-type', contentType);
  if (!(body instanceof LargeBody)) return reply.send(body);
  reply.header('content-length', String(body.byteLength));
  return reply.send(streamOf(reply.request, () => inSlices(body.pieces())));
}

function notAcceptable(hasSubscriptions: boolean): string {
  const types = hasSubscriptions
    ? 'application/graphql-response+json, application/json or text/event-stream'
    : 'application/graphql-response+json or application/json';
  return errorsBody([requestError('NOT_ACCEPTABLE', `Accept must allow one of ${types}.`)]);
}

function giveSchema(reply: Reply, introspection: boolean, schemaText: () => string): Reply {
  if (introspection) {
    return reply.header('content-type', 'application/graphql; charset=utf-8').send(schemaText());
  }
  const message = 'Introspection is turned off here, and the schema is not given either.';
  const body = errorsBody([requestError('INTROSPECTION_DISABLED', message)]);
  return head(reply, 'application/graphql-response+json', 'refused', body);
}

/** Of a header that a message shows, in characters. */
const maxShown = 100;

/** Other content types find nothing here; throws 404. */
function checkContentType({ headers }: Request): void {
  const contentType = headers['content-type'];
  if (mediaTypeOf(contentType) !== 'application/json') {
    const sent =
      contentType === undefined
        ? 'no Content-Type'
        : `Content-Type ${shorten(contentType, maxShown)}`;
    throw new HttpError(
      404,
      `POST ${path} accepts Content-Type application/json only; got ${sent}.`,
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
    // Faults of the body, which get a GraphQL response here.
    if (error instanceof JsonSyntaxError || error instanceof HttpError) {
      throw new MalformedRequestError(error.message);
    }
    throw error;
  }
  return readBodyParameters(body);
}
