/** Endpoints that read the captures of a bin, and wait for new ones. */

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Reply, Request } from '#http/exchange.js';
import type { HeldRequests } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import { jsonPieces } from '#http/json/json-pieces.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { errorSchema, failures } from '#http/schemas/error-schema.js';
import { contentSecurityPolicy, noSniff } from '#http/schemas/header-schemas.js';
import { beginEvents, forgetEmptyId, streamEvents } from '#http/sending/event-stream.js';
import { inSlices } from '#http/sending/stream-of.js';
import { type Endpoint, endpoint, openExceptTypos } from '#kit/endpoint.js';
import { sequenceParameter, waitForEntry, waitParameter } from '#kit/sandbox/wait-for-entry.js';
import type { LogEntry } from '#state/state.js';
import { binParams, binPath } from './bin-endpoints.js';
import { type FindBin, maxRequestsPerBin } from './bins.js';
import {
  type CapturedItem,
  capturedRequestSchema,
  captureListSchema,
  describeCapture,
  isLongCapture,
  sendJson,
  writeCaptures,
} from './captures.js';
import { streamCaptures } from './stream-captures.js';

const listPath = `${binPath}/requests`;
const capturePath = `${listPath}/:requestId`;

const captureParams = {
  ...binParams,
  requestId: Type.String({ description: 'The id of the captured request.' }),
};

/** Browsers open up to six connections to a host. */
const maxReadersPerBin = 20;

const retryAfterSeconds = 5;

const tooManyReaders = {
  429: Type.Object({
    ...errorSchema.properties,
    retryAfter: Type.Integer({ description: 'In seconds.' }),
  }),
};

export function captureEndpoints(findBin: FindBin, held: HeldRequests): readonly Endpoint[] {
  const hold = readerHolder(held);
  return [
    listCaptures(findBin, hold),
    clearCaptures(findBin),
    readCapture(findBin),
    deleteCapture(findBin),
    readBody(findBin),
    followCaptures(findBin, hold),
  ];
}

const listCaptures = (findBin: FindBin, hold: HoldReader) =>
  endpoint('GET', listPath, {
    summary: "List a bin's captures, or wait for the next",
    description:
      'With ?wait=, the response is delayed until a capture arrives or the time is over. After a timeout, the list may be empty or unchanged.',
    params: binParams,
    query: openExceptTypos({
      wait: waitParameter('capture'),
      after: sequenceParameter(
        'Returns only captures after this id. If some exist, the response is not delayed.',
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: maxRequestsPerBin,
          description: 'Maximum number of captures. Default: all.',
        }),
      ),
    }),
    responses: { 200: captureListSchema, ...failures(404), ...tooManyReaders },
    async handle(request, reply) {
      const { id } = request.params;
      const { wait = 0, after: sequence, limit = maxRequestsPerBin } = request.query;
      const { log } = await findBin(request, id);
      if (wait > 0) {
        await waitForEntry(log, sequence, hold(request, reply, id, wait * 1000));
        // The bin may have been deleted during the wait.
        await findBin(request, id);
      }
      return sendJson(reply, writeCaptures(log, sequence ?? 0, limit));
    },
  });

const clearCaptures = (findBin: FindBin) =>
  endpoint('DELETE', listPath, {
    summary: 'Delete all captures of a bin',
    description: 'The bin keeps its name and its response.',
    params: binParams,
    responses: { 204: Type.Null(), ...failures(404) },
    async handle(request, reply) {
      const { log } = await findBin(request, request.params.id);
      await log.clear();
      return reply.code(204).send(null);
    },
  });

const readCapture = (findBin: FindBin) =>
  endpoint('GET', capturePath, {
    summary: 'Describe a capture',
    description: 'The body is text if it is UTF-8, otherwise base64.',
    params: captureParams,
    responses: { 200: capturedRequestSchema, ...failures(404) },
    async handle(request, reply) {
      const entry = await findCapture(findBin, request);
      const described = describeCapture(entry);
      return isLongCapture(described) ? sendJson(reply, jsonPieces(described)) : described;
    },
  });

const deleteCapture = (findBin: FindBin) =>
  endpoint('DELETE', capturePath, {
    summary: 'Delete a capture',
    description: 'The others keep their ids. Open streams are not notified.',
    params: captureParams,
    responses: { 204: Type.Null(), ...failures(404) },
    async handle(request, reply) {
      const { id, requestId } = request.params;
      const { log } = await findBin(request, id);
      const sequence = sequenceOf(requestId);
      if (sequence === undefined || !(await log.remove(sequence))) throw unknownCapture();
      return reply.code(204).send(null);
    },
  });

const readBody = (findBin: FindBin) =>
  endpoint('GET', `${capturePath}/body`, {
    summary: 'Get the bytes of a captured body',
    description: 'Browsers always download it, whatever its type.',
    params: captureParams,
    responses: { 200: bytesOf('application/octet-stream'), ...failures(404) },
    responseHeaders: {
      200: {
        'Content-Disposition': Type.Literal('attachment'),
        ...noSniff,
        ...contentSecurityPolicy,
      },
    },
    async handle(request, reply) {
      const { bytes } = await findCapture(findBin, request);
      // Browsers always download the bytes, whatever Content-Type the sender gave them.
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-length': bytes.length,
      });
      return Readable.from(inSlices([bytes]));
    },
  });

const streamHeaders = { 'X-Accel-Buffering': Type.Literal('no') };

const followCaptures = (findBin: FindBin, hold: HoldReader) =>
  endpoint('GET', `${binPath}/events`, {
    summary: 'Stream captures as Server-Sent Events',
    description:
      'Each capture is an event; its data is the capture as JSON, and its id the value for Last-Event-ID. Without Last-Event-ID, the stream begins with the next capture. An event named cleared means that the bin was emptied; one named deleted, that it was deleted.',
    params: binParams,
    query: openExceptTypos({
      lastEventId: sequenceParameter(
        'The same as the header Last-Event-ID, for clients that cannot set it.',
      ),
    }),
    before: forgetEmptyId,
    headers: {
      'last-event-id': sequenceParameter(
        'The id of the last event received. The stream continues after it.',
      ),
    },
    responses: { 200: bytesOf('text/event-stream'), ...failures(404), ...tooManyReaders },
    responseHeaders: { 200: streamHeaders, 429: streamHeaders },
    async handle(request, reply) {
      const { id } = request.params;
      const { log } = await findBin(request, id);
      const { lastSequence = 0 } = (await log.status()) ?? {};
      const asked = request.headers['last-event-id'] ?? request.query.lastEventId;
      const sequence = Math.min(asked ?? lastSequence, lastSequence);
      beginEvents(reply);
      if (request.method === 'HEAD') return reply.send(Buffer.alloc(0));
      const heldRequest = hold(request, reply, id);
      return reply.send(
        streamEvents(heldRequest, streamCaptures(log, sequence, heldRequest.signal)),
      );
    },
  });

type HoldReader = ReturnType<typeof readerHolder>;

/** Counts the readers of each bin, and throws 429 beyond the limit. */
function readerHolder(held: HeldRequests) {
  const readers = new Map<string, number>();
  const countOf = (binId: string) => readers.get(binId) ?? 0;
  return (request: Request, reply: Reply, binId: string, forMs?: number) => {
    if (countOf(binId) >= maxReadersPerBin) {
      const message = `This bin already has the maximum of ${maxReadersPerBin} waiting readers. Close one first.`;
      throw new HttpError(429, message, {
        headers: { 'retry-after': String(retryAfterSeconds) },
        body: { retryAfter: retryAfterSeconds },
      });
    }
    const heldRequest = held.hold(request, reply, forMs);
    readers.set(binId, countOf(binId) + 1);
    heldRequest.ended.then(() => {
      if (countOf(binId) === 1) readers.delete(binId);
      else readers.set(binId, countOf(binId) - 1);
    });
    return heldRequest;
  };
}

async function findCapture(
  findBin: FindBin,
  request: Request<{ Params: { id: string; requestId: string } }>,
): Promise<LogEntry<CapturedItem>> {
  const { id, requestId } = request.params;
  const { log } = await findBin(request, id);
  const sequence = sequenceOf(requestId);
  const [entry] = sequence === undefined ? [] : await log.after(sequence - 1, 1);
  if (entry === undefined || entry.sequence !== sequence) throw unknownCapture();
  return entry;
}

/** Returns `undefined` for an invalid capture id. */
function sequenceOf(requestId: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(requestId) ? Number(requestId) : undefined;
}

function unknownCapture(): HttpError {
  return new HttpError(
    404,
    `The bin has no captured request with this id. It keeps the newest ${maxRequestsPerBin}.`,
  );
}
