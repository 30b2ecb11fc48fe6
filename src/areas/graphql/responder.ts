/** Responds to GraphQL requests over HTTP: classifies a request, runs it, and sends the outcome. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { turns } from '#base/work-in-turns.js';
import {
  bodyText,
  mediaType as mediaTypeOf,
  readWholeBody,
  rejectContentEncoding,
} from '#http/body/request-body.js';
import { addVary } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { inSlices, streamOf } from '#http/sending/stream-of.js';
import { doLongWork } from '#kit/limits/long-work.js';
import { sendPage } from '#kit/pages/send-page.js';
import type { Services } from '#kit/services.js';
import { isWebSocketHandshake } from '#kit/websocket/web-sockets.js';
import { StateUnavailableError } from '#state/state.js';
import type { Engine } from './execution/engine.js';
import { type ErrorCode, errorsBody, requestError, shorten } from './outcome/format-error.js';
import { LargeBody } from './outcome/large-body.js';
import type { Body, Caller, Outcome } from './outcome/outcome.js';
import { readSchemaText } from './read-schema-text.js';
import {
  chooseMediaType,
  decideResponse,
  type MediaType,
  type OutcomeKind,
  prefersEvents,
  takesEvents,
} from './request/decide-response.js';
import type { Prepare } from './request/operation.js';
import { findDocument, registerDocument } from './request/persisted-queries.js';
import {
  MalformedRequestError,
  type Parameters,
  readBodyParameters,
  readQueryParameters,
} from './request/read-parameters.js';
import { HeldOperations } from './streams/held-operations.js';
import { isKeyed, socketCaller } from './streams/socket-caller.js';
import { ask, Streams, tokenOf } from './streams/streams.js';

/** In characters. Longer documents may select megabytes, so they run in turn. */
const longDocument = 1000;

/** A short document may select megabytes, too, and many may arrive at once. */
const inTurn = <Result>(run: () => Awaitable<Result>): Awaitable<Result> =>
  turns.hasTime() ? run() : turns.next().then(run);

export class Responder {
  readonly #services: Services;
  readonly #introspection: boolean;
  readonly #hasSubscriptions: boolean;
  readonly #operations = new HeldOperations();
  readonly #streams: Streams;
  #engine: Engine | undefined;

  constructor(services: Services, introspection: boolean, hasSubscriptions: boolean) {
    this.#services = services;
    this.#introspection = introspection;
    this.#hasSubscriptions = hasSubscriptions;
    this.#streams = new Streams(services.limits, services.runtime, this.#operations);
  }

  /**
   * A page cannot be opened with a header, and a browser's WebSocket sends its key in a message.
   */
  isOpenTo(request: Request): boolean {
    const { raw } = request;
    return isForPage(request) || (this.#isHandshake(request) && !isKeyed(raw));
  }

  async post(request: Request, reply: Reply): Promise<Reply> {
    const { headers } = request;
    checkContentType(headers['content-type']);
    const mediaType = chooseMediaType(headers.accept);
    if (this.#isUnacceptable(request, mediaType)) return this.#rejectMediaType(reply);
    rejectContentEncoding(headers['content-encoding']);
    const bytes = await readWholeBody(request);
    return this.#respond(request, reply, mediaType, () => parsePosted(request, bytes));
  }

  get(request: Request, reply: Reply): Awaitable<Reply> {
    if (this.#isHandshake(request)) return this.#connect(request, reply);
    const parameters = request.query as Readonly<Record<string, unknown>>;
    addVary(reply, 'Accept');
    if (Object.hasOwn(parameters, 'sdl')) return this.#sendSchema(reply);
    if (isForPage(request)) return sendPage(request, reply, 'ide');
    const mediaType = chooseMediaType(request.headers.accept);
    if (this.#isUnacceptable(request, mediaType)) return this.#rejectMediaType(reply);
    const token = this.#hasSubscriptions ? tokenOf(request) : undefined;
    if (token !== undefined && takesEvents(request.headers.accept)) {
      return this.#streams.open(request, reply, token, this.#prepare(request, true));
    }
    return this.#respond(request, reply, mediaType, () => readQueryParameters(parameters));
  }

  #isHandshake({ raw }: Request): boolean {
    return this.#hasSubscriptions && isWebSocketHandshake(raw);
  }

  #isUnacceptable({ headers }: Request, mediaType: MediaType | undefined): boolean {
    return mediaType === undefined && !(this.#hasSubscriptions && takesEvents(headers.accept));
  }

  #rejectMediaType(reply: Reply): Reply {
    const types = this.#hasSubscriptions
      ? 'application/graphql-response+json, application/json or text/event-stream'
      : 'application/graphql-response+json or application/json';
    const message = `Accept must allow one of ${types}.`;
    return sendError(reply, undefined, 'not-acceptable', 'NOT_ACCEPTABLE', message);
  }

  #sendSchema(reply: Reply): Reply {
    if (this.#introspection) {
      const text = readSchemaText(this.#hasSubscriptions);
      return reply.header('content-type', 'application/graphql; charset=utf-8').send(text);
    }
    const message = 'Introspection is disabled, and so is the schema.';
    return sendError(reply, undefined, 'rejected', 'INTROSPECTION_DISABLED', message);
  }

  #respond(
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
      return sendError(reply, mediaType, 'malformed', 'INVALID_REQUEST', error.message);
    }
    const { accept } = request.headers;
    if (this.#hasSubscriptions) {
      const token = request.method === 'POST' ? tokenOf(request) : undefined;
      if (token !== undefined) return this.#ask(request, reply, mediaType, token, parameters);
      if (prefersEvents(accept)) return this.#stream(request, reply, parameters);
    }
    return whenKnown(this.#run(request, parameters), ({ kind, body }) =>
      kind === 'subscription' && takesEvents(accept)
        ? this.#stream(request, reply, parameters)
        : send(reply, mediaType, kind, body),
    );
  }

  #run(request: Request, parameters: Parameters): Awaitable<Outcome> {
    const caller = this.#callerOf(request);
    const { sandbox } = caller;
    return whenKnown(findDocument(parameters, sandbox), (found) => {
      if ('kind' in found) return found;
      const run = () =>
        whenKnown(settled(this.#services.sandboxes.dueWork.settle(sandbox)), () =>
          whenKnown(this.#loaded(), (engine) => engine.run(found, caller)),
        );
      const outcome = found.query.length > longDocument ? doLongWork(request, run) : inTurn(run);
      if (parameters.sha256Hash === undefined) return outcome;
      return whenKnown(outcome, async (known) => {
        if (known.kind === 'executed') await registerDocument(found, sandbox);
        return known;
      });
    });
  }

  /**
   * graphql-js and the schema are a third of the service's memory, so they are loaded on first use.
   */
  #loaded(): Awaitable<Engine> {
    return this.#engine ?? this.#load();
  }

  async #load(): Promise<Engine> {
    const { Engine } = await import('./execution/engine.js');
    this.#engine ??= new Engine({
      schemaText: readSchemaText(this.#hasSubscriptions),
      datasets: this.#services.sandboxes.datasets,
      introspection: this.#introspection,
    });
    return this.#engine;
  }

  #callerOf(request: Request, mayMutate = request.method === 'POST'): Caller {
    return {
      sandbox: request.sandbox,
      baseUrl: () => request.baseUrl,
      mayMutate,
      onFault: (fault) => this.#services.runtime.reportFailure(request, fault),
      onParsed: (graphql) => request.onParsed?.({ graphql }),
    };
  }

  #prepare(request: Request, mayMutate?: boolean): Prepare {
    return async (parameters) => {
      const caller = this.#callerOf(request, mayMutate);
      const found = await findDocument(parameters, caller.sandbox);
      if ('kind' in found) return found;
      const prepared = (await this.#loaded()).prepare(found, caller);
      if (!('kind' in prepared)) await registerDocument(found, caller.sandbox);
      return prepared;
    };
  }

  async #connect(request: Request, reply: Reply): Promise<Reply> {
    const { limits, runtime } = this.#services;
    const { webSockets } = limits;
    const { protocols } = webSockets.readHandshake(request, reply);
    const { serveSocket } = await import('./streams/serve-socket.js');
    const own = {
      request,
      operations: this.#operations,
      // A stream may run mutations, even if GET opened it.
      prepare: this.#prepare(request, true),
      admit: socketCaller(request, limits, runtime),
      report: (error: unknown) => runtime.reportFailure(request, error),
    };
    const protocol = protocols.find((name) => name === 'graphql-transport-ws');
    return webSockets.accept(request, reply, (socket) => serveSocket(socket, own), { protocol });
  }

  async #stream(request: Request, reply: Reply, parameters: Parameters): Promise<Reply> {
    const prepared = await this.#prepare(request)(parameters);
    if ('kind' in prepared && prepared.kind === 'method-not-allowed') {
      return send(reply, undefined, prepared.kind, prepared.body);
    }
    return this.#streams.distinct(request, reply, prepared);
  }

  /** Rejects an invalid operation here; its result is sent on the stream. */
  async #ask(
    request: Request,
    reply: Reply,
    mediaType: MediaType | undefined,
    token: string,
    parameters: Parameters,
  ): Promise<Reply> {
    const { operationId } = parameters;
    if (operationId === undefined) {
      const message =
        'extensions.operationId must be a string: the id of the operation on its event stream.';
      return sendError(reply, mediaType, 'malformed', 'INVALID_REQUEST', message);
    }
    const prepared = await this.#prepare(request)(parameters);
    if ('kind' in prepared) return send(reply, mediaType, prepared.kind, prepared.body);
    await ask(request.sandbox, token, operationId, parameters);
    return reply.code(202).send();
  }
}

/** Turns the error of an unavailable state into an error of the protocol. */
function settled(work: Awaitable<void>): Awaitable<void> {
  if (!(work instanceof Promise)) return work;
  return work.catch((error) => {
    if (!(error instanceof StateUnavailableError)) throw error;
  });
}

/** Returns whether a browser opens the page, rather than a client sending a query. */
function isForPage({ query, headers }: Request): boolean {
  const parameters = query as Readonly<Record<string, unknown>>;
  const asksForData = parameters.query || parameters.extensions || Object.hasOwn(parameters, 'sdl');
  return !asksForData && prefersPage(headers.accept);
}

function send(
  reply: Reply,
  mediaType: MediaType | undefined,
  kind: OutcomeKind,
  body: Body,
): Reply {
  const { status, headers } = decideResponse(mediaType, kind);
  reply.code(status).headers(headers);
  if (!(body instanceof LargeBody)) return reply.send(body);
  reply.header('content-length', String(body.byteLength));
  return reply.send(streamOf(reply.request, () => inSlices(body.pieces())));
}

function sendError(
  reply: Reply,
  mediaType: MediaType | undefined,
  kind: OutcomeKind,
  code: ErrorCode,
  message: string,
): Reply {
  return send(reply, mediaType, kind, errorsBody([requestError(code, message)]));
}

/** Throws 404 for other content types. */
function checkContentType(contentType: string | undefined): void {
  if (mediaTypeOf(contentType) === 'application/json') return;
  const sent =
    contentType === undefined ? 'no Content-Type' : `Content-Type ${shorten(contentType, 100)}`;
  throw new HttpError(
    404,
    `POST /graphql accepts Content-Type application/json only; got ${sent}.`,
  );
}

function parsePosted(request: Request, bytes: Buffer): Parameters {
  if (bytes.length === 0) {
    throw new MalformedRequestError(
      'The request has no body. Send a JSON object, such as {"query": "{ books { title } }"}.',
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
  request.onParsed?.({ json: body });
  return readBodyParameters(body);
}
