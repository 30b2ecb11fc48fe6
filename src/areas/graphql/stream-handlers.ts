/** Responses as Server-Sent Events: on a connection for each operation, or on one for many. */

import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { forbidStoring } from '../../http/caching/caching.js';
import type { Reply, Request } from '../../http/exchange.js';
import type { HeldRequest } from '../../http/held-requests.js';
import { HttpError, unexpectedFailure } from '../../http/http-error.js';
import { notAcceptable } from '../../http/negotiation/negotiate-type.js';
import { readPreferences, weightOf } from '../../http/negotiation/read-preferences.js';
import { beginEvents, heartbeat, inTurns, streamEvents } from '../../http/sending/event-stream.js';
import type { Services } from '../../kit/area.js';
import type { Sandbox } from '../../state/state.js';
import type { Operation } from './create-engine.js';
import { distinctFrames, framesOf } from './event-frames.js';
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
import { errorsBody, requestError } from './format-error.js';
import type { HeldOperations } from './held-operations.js';
import { Outbox } from './outbox.js';
import type { Outcome } from './outcome.js';
import type { Parameters } from './read-parameters.js';
import { serveStream } from './serve-stream.js';
import { beginResponses, tellResponses } from './tell-responses.js';

const tokenHeader = 'x-graphql-event-stream-token';

/** Which stream a request is for, if for one that many operations share. */
export function tokenOf({ headers, query }: Request): string | undefined {
  const token = headers[tokenHeader] ?? (query as { readonly token?: unknown }).token;
  return token === undefined ? undefined : String(token);
}

/** Finds out what parameters ask for. */
export type Prepare = (parameters: Parameters) => Promise<Operation | Outcome>;

export function streamHandlers(
  { held, sandboxOf, reportFailure }: Services,
  operations: HeldOperations,
) {
  /** Holds the connection and sends what the outbox has, until it has ended or the service stops. */
  function sendEvents(reply: Reply, outbox: Outbox, place: HeldRequest): Readable {
    place.ended.then(() => outbox.end());
    setHead(reply);
    return streamEvents(place, inTurns(piecesOf(outbox)));
  }

  /** Runs an operation that shares a stream. What fails is told like what a field throws. */
  function runOn(request: Request, outbox: Outbox, prepare: Prepare) {
    return async (id: string, asked: Parameters, signal: AbortSignal): Promise<void> => {
      const frames = framesOf(id);
      try {
        const place = operations.hold(request);
        signal.addEventListener('abort', place.release);
        try {
          const responses = await beginResponses(await prepare(asked), place.signal);
          await tellResponses(responses, frames, outbox, place.signal);
        } finally {
          place.release();
        }
      } catch (error) {
        await outbox.offer(() => frames.next(failureBody(request, error)));
        await outbox.offer(frames.complete);
      }
    };
  }

  function failureBody(request: Request, error: unknown): string {
    if (!(error instanceof HttpError)) reportFailure(request, error);
    const message = error instanceof HttpError ? error.message : unexpectedFailure;
    const code = error instanceof HttpError ? 'LIMIT_EXCEEDED' : 'INTERNAL';
    return errorsBody([requestError(code, message)]);
  }

  return {
    /** Responds to one operation on its own connection. */
    async distinct(request: Request, reply: Reply, prepared: Operation | Outcome) {
      if (request.method === 'HEAD') {
        setHead(reply);
        return reply.send(noBytes);
      }
      const place = held.hold(request, reply);
      const outbox = new Outbox();
      try {
        const responses = await beginResponses(prepared, place.signal);
        tellResponses(responses, distinctFrames, outbox, place.signal).then(
          () => outbox.end(),
          (error) => {
            reportFailure(request, error);
            reply.raw.destroy();
          },
        );
      } catch (error) {
        place.release();
        throw error;
      }
      return reply.send(sendEvents(reply, outbox, place));
    },

    /** Gives out the token of a stream that is to be opened. */
    async reserve(request: Request, reply: Reply) {
      const { accept } = request.headers;
      if (accept && weightOf(readPreferences(accept), 'text/plain') === 0) {
        throw notAcceptable('The token comes as plain text, which Accept does not allow.', [
          'text/plain',
        ]);
      }
      const token = randomUUID();
      await sandboxOf(request).update(streamSpace, token, reserveStream);
      forbidStoring(reply);
      return reply.code(201).header('content-type', 'text/plain; charset=utf-8').send(token);
    },

    /** Opens a stream, on which everything asked for it is sent. */
    async open(request: Request, reply: Reply, token: string, prepare: Prepare) {
      if (request.method === 'HEAD') {
        setHead(reply);
        return reply.send(noBytes);
      }
      const sandbox = sandboxOf(request);
      const place = held.hold(request, reply);
      try {
        throwUnlessDone(await sandbox.update(streamSpace, token, openStream));
      } catch (error) {
        place.release();
        throw error;
      }
      const outbox = new Outbox();
      serveStream(sandbox, token, runOn(request, outbox, prepare), place.signal)
        .catch((error) => reportFailure(request, error))
        .finally(() => {
          outbox.end();
          return forget(sandbox, token);
        })
        // A state that is away forgets it by itself.
        .catch(() => {});
      return reply.send(sendEvents(reply, outbox, place));
    },

    /** Asks for an operation on an open or reserved stream. */
    async ask(request: Request, reply: Reply, token: string, id: string, parameters: Parameters) {
      const sandbox = sandboxOf(request);
      const asked = await sandbox.update(streamSpace, token, (current, nowMs) =>
        askOperation(current, nowMs, id, parameters),
      );
      throwUnlessDone(asked, id);
      await ring(sandbox, token);
      return reply.code(202).send();
    },

    /** Asks for the end of an operation. */
    async stop(request: Request, reply: Reply) {
      const token = tokenOf(request);
      const { operationId } = request.query as { readonly operationId?: unknown };
      if (token === undefined) throw noToken();
      if (typeof operationId !== 'string' || operationId === '') throw noOperationId();
      const sandbox = sandboxOf(request);
      const asked = await sandbox.update(streamSpace, token, (current, nowMs) =>
        stopOperation(current, nowMs, operationId),
      );
      throwUnlessDone(asked);
      await ring(sandbox, token);
      return reply.code(200).send();
    },
  };
}

const noBytes: Buffer = Buffer.alloc(0);

function setHead(reply: Reply): void {
  forbidStoring(reply);
  beginEvents(reply);
}

async function* piecesOf(outbox: Outbox): AsyncGenerator<string> {
  // Some clients wait for the first bytes of the body before they see the head.
  yield heartbeat;
  for await (const text of outbox.texts()) yield text ?? heartbeat;
}

/** Tells whoever has the stream that there is something to look at. */
async function ring(sandbox: Sandbox, token: string): Promise<void> {
  await sandbox.log(streamSpace, token).append(null, noBytes);
}

async function forget(sandbox: Sandbox, token: string): Promise<void> {
  await sandbox.update<EventStream, void>(streamSpace, token, () => {
    return { value: undefined, result: undefined };
  });
}

/** Throws 404 and 409 for what could not be done, or 503 when a stream has all it may. */
function throwUnlessDone(asked: Asked, id?: string): void {
  if (asked === 'done') return;
  if (asked === 'unknown') {
    throw new HttpError(
      404,
      'This token has no event stream: it has ended, or was not opened within a minute. PUT /graphql gives a new token.',
    );
  }
  if (asked === 'full') {
    throw new HttpError(
      409,
      `The event stream runs ${maxOperations} operations, the most it may. End one first.`,
    );
  }
  throw new HttpError(
    409,
    id === undefined
      ? 'The event stream is open on another connection. PUT /graphql gives a token for one more.'
      : 'An operation of this operationId is running on the event stream. Give each an id of its own.',
  );
}

function noToken(): HttpError {
  return new HttpError(
    400,
    'X-GraphQL-Event-Stream-Token, or ?token=, must say which event stream. PUT /graphql gives a token.',
  );
}

function noOperationId(): HttpError {
  return new HttpError(400, '?operationId= must say which operation of the event stream ends.');
}
