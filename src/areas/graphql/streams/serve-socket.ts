/** GraphQL over WebSocket (graphql-transport-ws), with a library for the protocol. */

import { type ExecutionArgs, type GraphQLError, Kind, OperationTypeNode } from 'graphql';
import { type Context, makeServer, type SubscribePayload } from 'graphql-ws';
import { newPromise } from '#base/awaitable.js';
import type { Request } from '#http/exchange.js';
import type { HeldRequest } from '#http/held-requests.js';
import { HttpError, unexpectedFailure } from '#http/http-error.js';
import { guard } from '#kit/connection.js';
import type { ServerSocket } from '#kit/websocket/web-sockets.js';
import { StateUnavailableError } from '#state/state.js';
import { type ErrorEntry, requestError } from '../outcome/format-error.js';
import type { Outcome } from '../outcome/outcome.js';
import type { Prepare, Responses } from '../request/operation.js';
import { MalformedRequestError, readBodyParameters } from '../request/read-parameters.js';
import { clientMessages, closeCodes, cut, faultOf, protocolFault } from './close-reasons.js';
import type { HeldOperations } from './held-operations.js';
import type { Admit } from './socket-caller.js';

/** Operations of one connection. */
const maxOperations = 50;

export interface SocketServices {
  readonly request: Request;
  readonly operations: HeldOperations;
  readonly prepare: Prepare;
  readonly admit: Admit;
  readonly report: (error: unknown) => void;
}

type Payload = Readonly<Record<string, unknown>> | undefined;

/** Reason why an operation is not run. */
class RejectedError extends Error {
  readonly entries: readonly ErrorEntry[];

  constructor(entries: readonly ErrorEntry[]) {
    super('Refused');
    this.entries = entries;
  }
}

/**
 * A minimal document for the library, which only checks that there is one. The real document is
 * already known.
 */
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
  /** Allows the next message to be handled. */
  readonly goOn: () => void;
  /** Resolves when its responses are complete. */
  readonly finished: Promise<void>;
}

class SocketConnection {
  readonly #socket: ServerSocket;
  readonly #services: SocketServices;
  /** Settles when the current sender has sent its response; senders wait for each other. */
  #turn: Promise<void> = Promise.resolve();
  #current: CurrentMessage = { text: '', goOn: () => {}, finished: this.#turn };
  /** Resolves when the id of an operation that its client ended is free. */
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
            socket.close(
              closeCodes.badMessage,
              'Messages must be JSON in text frames, not binary frames.',
            );
            return undefined;
          });
        },
      },
      this,
    );
    const close = (code: number, reason: Buffer) => closed(code, String(reason));
    socket.once('close', guard(socket, close));
  }

  /** Returns whether the caller may continue; otherwise closes with the reason. */
  async connect(payload: Payload): Promise<boolean> {
    const rejection = await this.#services.admit(payload);
    if (rejection !== undefined) this.#socket.close(...rejection);
    return rejection === undefined;
  }

  /** Begins an operation. An invalid operation fails when its first response is requested. */
  async begin(
    { subscriptions }: Context<Record<string, unknown>, SocketConnection>,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs> {
    const operations = Object.keys(subscriptions).length;
    const contextValue = await this.#begin(operations, payload, this.#current).catch(failing);
    return { schema: undefined as never, document: anyDocument as never, contextValue };
  }

  async #begin(
    running: number,
    payload: SubscribePayload,
    { goOn, finished }: CurrentMessage,
  ): Promise<AsyncIterable<Body>> {
    if (running > maxOperations) throw tooMany();
    const { admit, operations, prepare, request } = this.#services;
    const rejection = await admit(undefined);
    if (rejection !== undefined) {
      this.#socket.close(...rejection);
      throw new RejectedError([requestError('INVALID_REQUEST', rejection[1])]);
    }
    const parameters = readBodyParameters(payload);
    const heldRequest = operations.hold(request);
    try {
      const prepared = await prepare(parameters);
      if ('kind' in prepared) throw rejectedBy(prepared);
      const begun = await prepared.begin(heldRequest.signal);
      if ('kind' in begun) throw rejectedBy(begun);
      // Other operations have one response, and run one after another.
      if (prepared.type === OperationTypeNode.SUBSCRIPTION) goOn();
      return this.#responsesOf(begun, heldRequest, finished);
    } catch (error) {
      heldRequest.release();
      throw error;
    }
  }

  /** Returns the errors to send for a failure. */
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
   * Yields responses, each made after the client has read all earlier ones of any operation. Can be
   * ended at any time, also while it waits for an event.
   */
  #responsesOf(
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
      const before = this.#turn;
      const { promise, resolve: endTurn } = newPromise();
      this.#turn = promise;
      await before;
      try {
        if (signal.aborted) return;
        yield { body: await response() };
      } finally {
        endTurn();
      }
    }
  }

  /**
   * Resolves when the next message may be handled: a subscription has begun, and any other
   * operation is over.
   */
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
    // The library throws at messages that only a server sends.
    const { type } = JSON.parse(text) as { readonly type: string };
    if (!clientMessages.has(type)) {
      this.#socket.close(closeCodes.badMessage, cut(`A client must not send ${type}.`));
    } else if (error instanceof StateUnavailableError) {
      // Clients reconnect by themselves after this code, but not after 4500.
      this.#socket.close(closeCodes.tryAgainLater, cut(error.message));
    } else {
      this.#services.report(error);
      this.#socket.close(closeCodes.failure, 'Something failed on our side.');
    }
  }

  #close(code: number | undefined, reason: string | undefined): void {
    if (code === closeCodes.badMessage) this.#socket.close(code, cut(faultOf(this.#current.text)));
    else if (code === closeCodes.badProtocol) this.#socket.close(code, protocolFault);
    else this.#socket.close(code, reason && cut(reason));
  }
}

// biome-ignore lint/correctness/useYield: it throws instead
async function* failing(error: unknown): AsyncGenerator<Body> {
  throw error;
}

function tooMany(): RejectedError {
  const message = `The connection already runs ${maxOperations} operations, the limit. End one first.`;
  return new RejectedError([requestError('LIMIT_EXCEEDED', message)]);
}

function rejectedBy({ body }: Outcome): RejectedError {
  return new RejectedError(JSON.parse(String(body)).errors);
}
