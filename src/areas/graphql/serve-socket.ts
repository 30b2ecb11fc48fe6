/**
 * GraphQL over WebSocket (graphql-transport-ws). The library has the protocol: messages, ids, close codes. Here is
 * what it asks for: a socket that is sent no more than its client takes, who the caller is, and what operations
 * return. Loaded when the first client connects.
 */

import { type ExecutionArgs, type GraphQLError, Kind, OperationTypeNode } from 'graphql';
import { type Context, makeServer, type SubscribePayload } from 'graphql-ws';
import { newPromise } from '../../base/awaitable.js';
import type { Request } from '../../http/exchange.js';
import type { HeldRequest } from '../../http/held-requests.js';
import { HttpError, unexpectedFailure } from '../../http/http-error.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { StateUnavailableError } from '../../state/state.js';
import { clientMessages, closeCodes, cut, faultOf, protocolFault } from './close-reasons.js';
import type { Responses } from './create-engine.js';
import { type ErrorEntry, requestError } from './format-error.js';
import type { HeldOperations } from './held-operations.js';
import type { Outcome } from './outcome.js';
import { MalformedRequestError, readBodyParameters } from './read-parameters.js';
import type { Admit } from './socket-caller.js';
import type { Prepare } from './stream-handlers.js';
import { beginResponses } from './tell-responses.js';

/** Of one connection. */
const maxOperations = 50;

export interface SocketServices {
  readonly request: Request;
  readonly operations: HeldOperations;
  readonly prepare: Prepare;
  readonly admit: Admit;
  readonly report: (error: unknown) => void;
}

type Payload = Readonly<Record<string, unknown>> | undefined;

/** Why an operation is not run, as it is sent. */
class RejectedError extends Error {
  readonly entries: readonly ErrorEntry[];

  constructor(entries: readonly ErrorEntry[]) {
    super('Refused');
    this.entries = entries;
  }
}

/** All that the library looks for in a document: that there is something to run. What runs is known already. */
const anyDocument = {
  kind: Kind.DOCUMENT,
  definitions: [
    {
      kind: Kind.OPERATION_DEFINITION,
      operation: OperationTypeNode.SUBSCRIPTION,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
    },
  ],
} as const;

const server = makeServer<Record<string, unknown>, SocketConnection>({
  onConnect: ({ extra, connectionParams }) => extra.connect(connectionParams),
  onSubscribe: (context, _id, payload) => context.extra.begin(context, payload),
  subscribe: ({ contextValue }) => contextValue as AsyncGenerator<object, undefined>,
  onNext: (_context, _id, _payload, _args, result) => JSON.parse((result as Body).body),
  onError: ({ extra }, _id, _payload, errors) => errors.flatMap((error) => extra.entriesOf(error)),
});

interface Body {
  /** JSON with `data`, `errors` or both. */
  readonly body: string;
}

export function serveSocket(socket: ServerSocket, services: SocketServices): void {
  new SocketConnection(socket, services).serve();
}

interface CurrentMessage {
  readonly text: string;
  /** Lets the next message be handled. */
  readonly goOn: () => void;
  /** Resolves when all that came of it is over. */
  readonly finished: Promise<void>;
}

class SocketConnection {
  readonly #socket: ServerSocket;
  readonly #services: SocketServices;
  /** Settles when whoever sends a response has sent it; each waits for the one before. */
  #turn: Promise<void> = Promise.resolve();
  #current: CurrentMessage = { text: '', goOn: () => {}, finished: this.#turn };
  /** Of what was ended by its client: resolves when its id is free. */
  #ending: Promise<void> | undefined;

  constructor(socket: ServerSocket, services: SocketServices) {
    this.#socket = socket;
    this.#services = services;
  }

  serve(): void {
    const socket = this.#socket;
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: async (text) => {
          socket.send(text);
          await socket.room();
        },
        close: (code, reason) => this.#close(code, reason),
        onMessage: (handle) => {
          socket.eachMessage(({ data, isBinary }) => {
            if (!isBinary) return this.#handle(String(data), handle);
            socket.close(closeCodes.badMessage, 'Messages are JSON in frames of text, not binary.');
            return undefined;
          });
        },
      },
      this,
    );
    socket.once('close', (code, reason) => void closed(code, String(reason)));
  }

  /** Whether the caller may go on; says why not by closing. */
  async connect(payload: Payload): Promise<boolean> {
    const rejection = await this.#services.admit(payload);
    if (rejection !== undefined) this.#socket.close(...rejection);
    return rejection === undefined;
  }

  /** Begins an operation. One that cannot be run fails as soon as it is asked for a response. */
  async begin(
    { subscriptions }: Context<Record<string, unknown>, SocketConnection>,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs> {
    const { goOn, finished } = this.#current;
    const operations = Object.keys(subscriptions).length;
    const contextValue = await this.#begin(operations, payload, goOn, finished).catch(failing);
    return { schema: undefined as never, document: anyDocument as never, contextValue };
  }

  async #begin(
    operations: number,
    payload: SubscribePayload,
    goOn: () => void,
    finished: Promise<void>,
  ): Promise<AsyncIterable<Body>> {
    checkRoom(operations);
    const rejection = await this.#services.admit(undefined);
    if (rejection !== undefined) {
      this.#socket.close(...rejection);
      throw new RejectedError([requestError('INVALID_REQUEST', rejection[1])]);
    }
    const parameters = readBodyParameters(payload);
    const place = this.#services.operations.hold(this.#services.request);
    try {
      const prepared = await this.#services.prepare(parameters);
      if ('kind' in prepared) throw rejectedBy(prepared);
      const isSubscription = prepared.type === OperationTypeNode.SUBSCRIPTION;
      const begun = isSubscription
        ? await prepared.subscribe(place.signal)
        : await beginResponses(prepared, place.signal);
      if ('kind' in begun) throw rejectedBy(begun);
      // Other operations have one response, and a client that asks for many gets them one after another.
      if (isSubscription) goOn();
      return this.#answersOf(begun, place, finished);
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** What is told of a failure. */
  entriesOf({ originalError: error }: GraphQLError): readonly ErrorEntry[] {
    if (error instanceof RejectedError) return error.entries;
    if (error instanceof MalformedRequestError) {
      return [requestError('INVALID_REQUEST', error.message)];
    }
    if (error instanceof HttpError) return [requestError('LIMIT_EXCEEDED', error.message)];
    if (error instanceof StateUnavailableError) {
      return [requestError('STATE_UNAVAILABLE', error.message)];
    }
    this.#services.report(error);
    return [requestError('INTERNAL', unexpectedFailure)];
  }

  /**
   * Answers, each made when the client has taken what was sent before, of whichever operation. Can be ended at
   * any time, also while it waits for an event.
   */
  #answersOf(
    responses: Responses,
    { signal, release }: HeldRequest,
    finished: Promise<void>,
  ): AsyncGenerator<Body, undefined> {
    const bodies = this.#bodiesOf(responses, signal);
    const end = async () => {
      this.#ending = finished;
      release();
      void bodies.return(undefined);
      return { done: true, value: undefined } as const;
    };
    return {
      next: async () => {
        const next = await bodies.next();
        if (next.done) release();
        return next;
      },
      return: end,
      throw: end,
      [Symbol.asyncIterator]() {
        return this;
      },
    } as AsyncGenerator<Body, undefined>;
  }

  async *#bodiesOf(responses: Responses, signal: AbortSignal): AsyncGenerator<Body, undefined> {
    for await (const response of responses) {
      const endTurn = await this.#nextTurn();
      try {
        if (signal.aborted) return;
        yield { body: await response() };
      } finally {
        endTurn();
      }
    }
  }

  async #nextTurn(): Promise<() => void> {
    const before = this.#turn;
    const { promise, resolve } = newPromise();
    this.#turn = promise;
    await before;
    return resolve;
  }

  /** Resolves when the next message may be handled: a subscription stands by then, anything else is over. */
  async #handle(text: string, handle: (text: string) => Promise<void>): Promise<void> {
    const next = newPromise();
    const end = newPromise();
    this.#current = { text, goOn: next.resolve, finished: end.promise };
    const handled = handle(text)
      .catch((error: unknown) => this.#fail(text, error))
      .finally(end.resolve);
    await Promise.race([handled, next.promise]);
    await this.#ending;
    this.#ending = undefined;
  }

  #fail(text: string, error: unknown): void {
    // The library throws at messages of the protocol that only a server sends.
    const { type } = JSON.parse(text) as { readonly type: string };
    if (!clientMessages.has(type)) {
      this.#socket.close(closeCodes.badMessage, cut(`A client sends no ${type}.`));
      return;
    }
    if (error instanceof StateUnavailableError) {
      // Clients come back by themselves after it; 4500 is for good.
      this.#socket.close(closeCodes.tryAgainLater, cut(error.message));
      return;
    }
    this.#services.report(error);
    this.#socket.close(closeCodes.failure, 'Something failed on our side.');
  }

  #close(code: number | undefined, reason: string | undefined): void {
    if (code === closeCodes.badMessage) this.#socket.close(code, cut(faultOf(this.#current.text)));
    else if (code === closeCodes.badProtocol) this.#socket.close(code, protocolFault);
    else this.#socket.close(code, reason && cut(reason));
  }
}

// biome-ignore lint/correctness/useYield: it fails in place of that
async function* failing(error: unknown): AsyncGenerator<Body> {
  throw error;
}

function checkRoom(operations: number): void {
  if (operations <= maxOperations) return;
  throw new RejectedError([
    requestError(
      'LIMIT_EXCEEDED',
      `The connection runs ${maxOperations} operations, the most it may. End one first.`,
    ),
  ]);
}

function rejectedBy({ body }: Outcome): RejectedError {
  return new RejectedError(JSON.parse(String(body)).errors);
}
