/**
 * Sends responses as Server-Sent Events: on a connection for each operation, or on one for many.
 */

import { randomUUID } from 'node:crypto';
import { forbidStoring } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import type { HeldRequest } from '#http/held-requests.js';
import { HttpError, unexpectedFailure } from '#http/http-error.js';
import { notAcceptable } from '#http/negotiation/negotiate-type.js';
import { readPreferences, weightOf } from '#http/negotiation/read-preferences.js';
import { beginEvents, heartbeat, inTurns, streamEvents } from '#http/sending/event-stream.js';
import { guard } from '#kit/connection.js';
import type { Limits, Runtime } from '#kit/services.js';
import type { Sandbox } from '#state/state.js';
import { errorsBody, requestError } from '../outcome/format-error.js';
import type { Outcome } from '../outcome/outcome.js';
import type { Operation, Prepare } from '../request/operation.js';
import type { Parameters } from '../request/read-parameters.js';
import {
  type Asked,
  askOperation,
  type EventStream,
  maxOperations,
  openStream,
  reserveStream,
  stopOperation,
  streamSpace,
} from './event-streams.js';
import type { HeldOperations } from './held-operations.js';
import { Outbox } from './outbox.js';
import { beginResponses, distinctFrames, framesOf, sendResponses } from './send-responses.js';
import { type RunOperation, serveStream } from './serve-stream.js';

const noBytes: Buffer = Buffer.alloc(0);

/** Returns the token of a shared stream, if the request has one. */
export function tokenOf({ headers, query }: Request): string | undefined {
  const { token: inQuery } = query as { readonly token?: unknown };
  const token = headers['x-graphql-event-stream-token'] ?? inQuery;
  return token === undefined ? undefined : String(token);
}

export class Streams {
  readonly #held: Limits['held'];
  readonly #reportFailure: Runtime['reportFailure'];
  readonly #operations: HeldOperations;

  constructor({ held }: Limits, { reportFailure }: Runtime, operations: HeldOperations) {
    this.#held = held;
    this.#reportFailure = reportFailure;
    this.#operations = operations;
  }

  /** Responds to one operation on its own connection. */
  distinct(request: Request, reply: Reply, prepared: Operation | Outcome): Promise<Reply> {
    return this.#send(request, reply, async (outbox, { signal }) => {
      const responses = await beginResponses(prepared, signal);
      sendResponses(responses, distinctFrames, outbox, signal).then(
        () => outbox.end(),
        (error) => {
          this.#reportFailure(request, error);
          reply.raw.destroy();
        },
      );
    });
  }

  /** Opens a stream, which sends the results of all its operations. */
  open(request: Request, reply: Reply, token: string, prepare: Prepare): Promise<Reply> {
    return this.#send(request, reply, async (outbox, { signal }) => {
      const { sandbox } = request;
      throwUnlessDone(await sandbox.update(streamSpace, token, openStream));
      serveStream(sandbox, token, this.#runOn(outbox, request, prepare), signal)
        .catch((error) => this.#reportFailure(request, error))
        .finally(() => {
          outbox.end();
          return forget(sandbox, token);
        })
        // An unavailable state deletes the stream by itself.
        .catch(() => {});
    });
  }

  /**
   * Holds the connection and sends texts of the outbox, until it has ended or the service stops.
   */
  async #send(
    request: Request,
    reply: Reply,
    begin: (outbox: Outbox, heldRequest: HeldRequest) => Promise<void>,
  ): Promise<Reply> {
    const setHead = () => {
      forbidStoring(reply);
      beginEvents(reply);
    };
    if (request.method === 'HEAD') {
      setHead();
      return reply.send(noBytes);
    }
    const heldRequest = this.#held.hold(request, reply);
    const outbox = new Outbox();
    try {
      await begin(outbox, heldRequest);
    } catch (error) {
      heldRequest.release();
      throw error;
    }
    heldRequest.ended.then(() => outbox.end());
    setHead();
    return reply.send(streamEvents(heldRequest, inTurns(piecesOf(outbox))));
  }

  /** Runs an operation of a shared stream. Failures are reported like field errors. */
  #runOn(outbox: Outbox, request: Request, prepare: Prepare): RunOperation {
    return async (id, asked, signal) => {
      const frames = framesOf(id);
      try {
        const heldRequest = this.#operations.hold(request);
        signal.addEventListener('abort', guard(request.raw, heldRequest.release));
        try {
          const responses = await beginResponses(await prepare(asked), heldRequest.signal);
          await sendResponses(responses, frames, outbox, heldRequest.signal);
        } finally {
          heldRequest.release();
        }
      } catch (error) {
        await outbox.offer(() => frames.next(this.#failureBody(request, error)));
        await outbox.offer(frames.complete);
      }
    };
  }

  #failureBody(request: Request, error: unknown): string {
    if (error instanceof HttpError) {
      return errorsBody([requestError('LIMIT_EXCEEDED', error.message)]);
    }
    this.#reportFailure(request, error);
    return errorsBody([requestError('INTERNAL', unexpectedFailure)]);
  }
}

/** Issues the token of a stream to open. */
export async function reserve({ headers, sandbox }: Request, reply: Reply): Promise<Reply> {
  const { accept } = headers;
  if (accept && weightOf(readPreferences(accept), 'text/plain') === 0) {
    throw notAcceptable('The token is plain text, which Accept does not allow.', ['text/plain']);
  }
  const token = randomUUID();
  await sandbox.update(streamSpace, token, reserveStream);
  forbidStoring(reply);
  return reply.code(201).header('content-type', 'text/plain; charset=utf-8').send(token);
}

/** Requests an operation on an open or reserved stream. */
export async function ask(
  sandbox: Sandbox,
  token: string,
  id: string,
  parameters: Parameters,
): Promise<void> {
  const asked = await sandbox.update(streamSpace, token, (current, nowMs) =>
    askOperation(current, nowMs, id, parameters),
  );
  throwUnlessDone(asked, id);
  await ring(sandbox, token);
}

/** Requests the end of an operation. */
export async function stop(request: Request, reply: Reply): Promise<Reply> {
  const token = tokenOf(request);
  const { operationId: id } = request.query as { readonly operationId?: unknown };
  if (token === undefined) {
    throw new HttpError(
      400,
      'X-GraphQL-Event-Stream-Token or ?token= must select an event stream. PUT /graphql returns a token.',
    );
  }
  if (typeof id !== 'string' || id === '') {
    throw new HttpError(400, '?operationId= must name the operation of the event stream to end.');
  }
  const { sandbox } = request;
  const asked = await sandbox.update(streamSpace, token, (current, nowMs) =>
    stopOperation(current, nowMs, id),
  );
  throwUnlessDone(asked);
  await ring(sandbox, token);
  return reply.send();
}

async function* piecesOf(outbox: Outbox): AsyncGenerator<string> {
  // Some clients see the head only with the first bytes of the body.
  yield heartbeat;
  for await (const text of outbox.texts()) yield text ?? heartbeat;
}

/** Wakes the process that holds the stream. */
async function ring(sandbox: Sandbox, token: string): Promise<void> {
  await sandbox.log(streamSpace, token).append(null, noBytes);
}

async function forget(sandbox: Sandbox, token: string): Promise<void> {
  await sandbox.update<EventStream, void>(streamSpace, token, () => {
    return { value: undefined, result: undefined };
  });
}

/** Throws 404 or 409 if the change failed. */
function throwUnlessDone(asked: Asked, id?: string): void {
  if (asked === 'done') return;
  if (asked === 'unknown') {
    throw new HttpError(
      404,
      'This token has no event stream: it has ended, or was not opened within a minute. PUT /graphql returns a new token.',
    );
  }
  const taken =
    id === undefined
      ? 'The event stream is open on another connection. PUT /graphql returns a token for a new stream.'
      : 'The event stream already runs an operation with this operationId. Use a different id for each.';
  const full = `The event stream already runs ${maxOperations} operations, the limit. End one first.`;
  throw new HttpError(409, asked === 'full' ? full : taken);
}
