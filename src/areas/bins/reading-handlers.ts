/** Reading what a bin has captured, and waiting for what it captures next. */

import { Readable } from 'node:stream';
import type { Reply, Request } from '../../http/exchange.js';
import type { HeldRequest } from '../../http/held-requests.js';
import { HttpError, jsonContentType } from '../../http/http-error.js';
import { beginEvents, streamEvents } from '../../http/sending/event-stream.js';
import { inSlices } from '../../http/sending/slices.js';
import type { Services } from '../../kit/area.js';
import { waitForEntry } from '../../kit/sandbox/wait-for-entry.js';
import type { LogEntry } from '../../state/state.js';
import { maxRequestsPerBin } from './bins.js';
import { type CapturedItem, describeCapture } from './capture-request.js';
import { findBin } from './find-bin.js';
import { OpenResponses } from './open-responses.js';
import { streamCaptures } from './stream-captures.js';
import { isShort, writeCapture, writeCaptures } from './write-captures.js';

interface OfBin {
  Params: { id: string };
}
interface OfCapture {
  Params: { id: string; requestId: string };
}
interface Listing extends OfBin {
  Querystring: { wait?: number; after?: number; limit?: number };
}
interface Streaming extends OfBin {
  Querystring: { lastEventId?: number };
  Headers: { 'last-event-id'?: number };
}

export function readingHandlers(services: Services) {
  const openResponses = new OpenResponses();

  /** Throws 429 when the bin has all the readers it may, and 503 when the service holds all it may. */
  function holdReader(request: Request, reply: Reply, id: string, seconds?: number): HeldRequest {
    const close = openResponses.open(id);
    try {
      const held = services.held.hold(request, reply, seconds && seconds * 1000);
      held.ended.then(close);
      return held;
    } catch (error) {
      close();
      throw error;
    }
  }

  async function findCapture(
    request: Request,
    { id, requestId }: OfCapture['Params'],
  ): Promise<LogEntry<CapturedItem>> {
    const { log } = await findBin(services, request, id);
    const sequence = sequenceOf(requestId);
    const [entry] = sequence === undefined ? [] : await log.after(sequence - 1, 1);
    if (entry === undefined || entry.sequence !== sequence) throw unknownCapture();
    return entry;
  }

  return {
    async list(request: Request<Listing>, reply: Reply): Promise<Readable> {
      const { id } = request.params;
      const { wait = 0, after: sequence, limit = maxRequestsPerBin } = request.query;
      const { log } = await findBin(services, request, id);
      if (wait > 0) {
        await waitForEntry(log, sequence, holdReader(request, reply, id, wait));
        // The bin may have gone while we waited.
        await findBin(services, request, id);
      }
      reply.header('content-type', jsonContentType);
      return Readable.from(writeCaptures(log, sequence ?? 0, limit));
    },

    async clear(request: Request<OfBin>, reply: Reply) {
      const { log } = await findBin(services, request, request.params.id);
      await log.clear();
      return reply.code(204).send(null);
    },

    async show(request: Request<OfCapture>, reply: Reply) {
      const entry = await findCapture(request, request.params);
      if (isShort(entry)) return describeCapture(entry);
      reply.header('content-type', jsonContentType);
      return Readable.from(inSlices(writeCapture(entry)));
    },

    async remove(request: Request<OfCapture>, reply: Reply) {
      const { id, requestId } = request.params;
      const { log } = await findBin(services, request, id);
      const sequence = sequenceOf(requestId);
      if (sequence === undefined || !(await log.remove(sequence))) throw unknownCapture();
      return reply.code(204).send(null);
    },

    async giveBody(request: Request<OfCapture>, reply: Reply): Promise<Readable> {
      const { bytes } = await findCapture(request, request.params);
      // Whatever the sender said these bytes are, a browser downloads them.
      reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', 'attachment')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('content-length', bytes.length);
      return Readable.from(inSlices([bytes]));
    },

    async stream(request: Request<Streaming>, reply: Reply) {
      const { id } = request.params;
      const { log } = await findBin(services, request, id);
      const { lastSequence = 0 } = (await log.status()) ?? {};
      const asked = request.headers['last-event-id'] ?? request.query.lastEventId;
      const sequence = Math.min(asked ?? lastSequence, lastSequence);
      beginEvents(reply);
      if (request.method === 'HEAD') return reply.send(Buffer.alloc(0));
      const held = holdReader(request, reply, id);
      return reply.send(streamEvents(held, streamCaptures(log, sequence, held.signal)));
    },
  };
}

/** `undefined` for what is no id of a capture. */
function sequenceOf(requestId: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(requestId) ? Number(requestId) : undefined;
}

function unknownCapture(): HttpError {
  return new HttpError(
    404,
    `The bin has no captured request with this id. It keeps the newest ${maxRequestsPerBin}.`,
  );
}
