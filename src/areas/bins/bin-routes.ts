/** Making, reading and deleting bins, and waiting for what they capture. */

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App, Services } from '../../server/area.js';
import { jsonContentType } from '../../server/error-handler.js';
import { errorSchema } from '../../server/error-schema.js';
import {
  cacheControl,
  contentSecurityPolicy,
  location,
  noSniff,
} from '../../server/header-schemas.js';
import type { HeldRequest } from '../../server/held-requests.js';
import { HttpError } from '../../server/http-error.js';
import { givenNameOf, type Log, ownerOf, type Sandbox } from '../../state/state.js';
import { checkBinReply } from './bin-reply.js';
import {
  type Bin,
  type BinReply,
  type BinView,
  binBytes,
  binsSpace,
  describeBin,
  maxRequestsPerBin,
  newBinId,
} from './bins.js';
import { type CapturedItem, describeCapture } from './capture-request.js';
import { OpenAnswers } from './open-answers.js';
import {
  binParamsSchema,
  binSchema,
  binWithRequestsSchema,
  bytesOf,
  capturedRequestSchema,
  capturedRequestsSchema,
  changeBinSchema,
  createBinSchema,
  listRequestsQuerySchema,
  requestParamsSchema,
  streamHeadersSchema,
  streamQuerySchema,
  tooManyReadersSchema,
} from './schemas.js';
import { streamCaptures } from './stream-captures.js';
import { writeBin, writeCaptures } from './write-captures.js';

const binsPath = '/api/webhooks/bins';
const binPath = `${binsPath}/:id`;
const requestsPath = `${binPath}/requests`;

const streamHeaders = { ...cacheControl, 'X-Accel-Buffering': Type.Literal('no') };

/** What one of the routes below works on. */
interface FoundBin {
  readonly bin: Bin;
  readonly sandbox: Sandbox;
  readonly log: Log<CapturedItem>;
}

export function addBinRoutes(app: App, services: Services): void {
  const openAnswers = new OpenAnswers();

  /** Throws 404 unless the caller may see the bin. */
  async function findBin(request: FastifyRequest, id: string): Promise<FoundBin> {
    const own = services.sandboxOf(request);
    const found = await binIn(own, id);
    if (found !== undefined) return found;
    // Who names no sandbox may follow an address into one: knowing the id is what lets them in, but
    // not into those of another account.
    const holder =
      givenNameOf(own.name) === '' ? await services.sandboxHolding(binsSpace, id) : undefined;
    const isReachable = holder !== undefined && ownerOf(holder.name) === ownerOf(own.name);
    const held = isReachable ? await binIn(holder, id) : undefined;
    if (held === undefined) throw unknownBin();
    return held;
  }

  async function view(request: FastifyRequest, { bin, log }: FoundBin): Promise<BinView> {
    const status = await log.status();
    return describeBin(bin, status?.size ?? 0, services.baseUrlOf(request));
  }

  app.post(
    binsPath,
    {
      schema: {
        summary: 'Makes a bin',
        description:
          'The body may be left out. Beyond 100 bins, the one that was made first goes, with its captures.',
        body: createBinSchema,
        response: { 201: binSchema, 400: errorSchema, 413: errorSchema, 415: errorSchema },
        responseHeaders: { 201: location },
      },
    },
    async (request, reply) => {
      const { name = null, response = null } = request.body;
      refuseFaultyReply(response);
      const id = newBinId();
      const bin = await services.sandboxOf(request).update(binsSpace, id, (_absent, nowMs) => {
        const made: Bin = { id, name, createdAtMs: nowMs, response };
        return { value: made, bytes: binBytes(made), result: made };
      });
      const baseUrl = services.baseUrlOf(request);
      reply.code(201).header('location', `${baseUrl}${binsPath}/${id}`);
      return describeBin(bin, 0, baseUrl);
    },
  );

  app.get(
    binsPath,
    {
      schema: {
        summary: 'Lists the bins, the newest first',
        description: "Those of the caller's sandbox, without their captures.",
        response: { 200: { type: 'array', items: binSchema } },
      },
    },
    async (request) => {
      const sandbox = services.sandboxOf(request);
      const entries = await sandbox.entries(binsSpace);
      const views = entries.map(([id, bin]) =>
        view(request, { bin, sandbox, log: sandbox.log(binsSpace, id) }),
      );
      return (await Promise.all(views)).reverse();
    },
  );

  app.get(
    binPath,
    {
      schema: {
        summary: 'Describes a bin with its captures, the newest first',
        description: 'Who knows the id may look, from any sandbox.',
        params: binParamsSchema,
        response: { 200: binWithRequestsSchema, 404: errorSchema },
      },
    },
    async (request, reply) => {
      const found = await findBin(request, request.params.id);
      reply.header('content-type', jsonContentType);
      return Readable.from(writeBin(await view(request, found), found.log));
    },
  );

  app.patch(
    binPath,
    {
      schema: {
        summary: "Changes a bin's name or what it answers",
        description: 'What is left out stays as it is; null takes it away.',
        params: binParamsSchema,
        body: changeBinSchema,
        response: {
          200: binSchema,
          400: errorSchema,
          404: errorSchema,
          413: errorSchema,
          415: errorSchema,
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { name, response } = request.body;
      refuseFaultyReply(response);
      const found = await findBin(request, id);
      const bin = await found.sandbox.update(binsSpace, id, (current) => {
        const value = current && {
          ...current,
          ...(name !== undefined && { name }),
          ...(response !== undefined && { response }),
        };
        return { value, ...(value && { bytes: binBytes(value) }), result: value };
      });
      if (bin === undefined) throw unknownBin();
      return view(request, { ...found, bin });
    },
  );

  app.delete(
    binPath,
    {
      schema: {
        summary: 'Deletes a bin and its captures',
        description: 'Its address answers 404 from then on.',
        params: binParamsSchema,
        response: { 204: { type: 'null' }, 404: errorSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { sandbox } = await findBin(request, id);
      await sandbox.update(binsSpace, id, () => ({ value: undefined, result: undefined }));
      return reply.code(204).send(null);
    },
  );

  app.get(
    requestsPath,
    {
      schema: {
        summary: "Lists a bin's captures, the newest first, at once or when the next has come",
        description:
          'With ?wait= the answer is held back until a capture comes, or the time is over; then the list may be empty or the same.',
        params: binParamsSchema,
        querystring: listRequestsQuerySchema,
        response: {
          200: capturedRequestsSchema,
          400: errorSchema,
          404: errorSchema,
          429: tooManyReadersSchema,
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { wait = 0, after: sequence, limit = maxRequestsPerBin } = request.query;
      const { log } = await findBin(request, id);
      if (wait > 0) {
        await holdUntilCapture(log, holdReader(request, reply, id, wait), sequence);
        // The bin may have gone while we waited.
        await findBin(request, id);
      }
      reply.header('content-type', jsonContentType);
      return Readable.from(writeCaptures(log, sequence ?? 0, limit));
    },
  );

  /** Throws 429 when the bin has all the readers it may, and 503 when the service holds all it may. */
  function holdReader(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    seconds?: number,
  ): HeldRequest {
    const close = openAnswers.open(id);
    try {
      const held = services.held.hold(request, reply, seconds && seconds * 1000);
      held.ended.then(close);
      return held;
    } catch (error) {
      close();
      throw error;
    }
  }

  async function holdUntilCapture(
    log: Log<CapturedItem>,
    { signal, release }: HeldRequest,
    sequence: number | undefined,
  ): Promise<void> {
    try {
      const start = sequence ?? (await log.status())?.lastSequence ?? 0;
      await waitForCapture(log, start, signal);
    } finally {
      release();
    }
  }

  app.delete(
    requestsPath,
    {
      schema: {
        summary: 'Empties a bin',
        description: 'The bin stays, with its name and what it answers.',
        params: binParamsSchema,
        response: { 204: { type: 'null' }, 404: errorSchema },
      },
    },
    async (request, reply) => {
      const { log } = await findBin(request, request.params.id);
      await log.clear();
      return reply.code(204).send(null);
    },
  );

  app.get(
    `${requestsPath}/:requestId`,
    {
      schema: {
        summary: 'Describes one capture',
        description: 'The body is text where it is UTF-8, and base64 where it is not.',
        params: requestParamsSchema,
        response: { 200: capturedRequestSchema, 404: errorSchema },
      },
    },
    async (request) => describeCapture(await findCapture(request)),
  );

  app.get(
    `${requestsPath}/:requestId/body`,
    {
      schema: {
        summary: 'Gives the exact bytes of a captured body, as far as they were kept',
        description: 'A browser downloads them, whatever they are.',
        params: requestParamsSchema,
        response: { 200: bytesOf('application/octet-stream'), 404: errorSchema },
        responseHeaders: {
          200: {
            'Content-Disposition': Type.Literal('attachment'),
            ...noSniff,
            ...contentSecurityPolicy,
          },
        },
      },
    },
    async (request, reply) => {
      const { bytes } = await findCapture(request);
      // Whatever the sender said these bytes are, a browser downloads them.
      return reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', 'attachment')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .send(bytes);
    },
  );

  async function findCapture(
    request: FastifyRequest<{ Params: { id: string; requestId: string } }>,
  ) {
    const { id, requestId } = request.params;
    const { log } = await findBin(request, id);
    const sequence = /^[1-9]\d{0,14}$/.test(requestId) ? Number(requestId) : undefined;
    const [entry] = sequence === undefined ? [] : await log.after(sequence - 1, 1);
    if (entry === undefined || entry.sequence !== sequence) {
      throw new HttpError(
        404,
        `The bin holds no captured request of this id. It keeps the newest ${maxRequestsPerBin}.`,
      );
    }
    return entry;
  }

  app.get(
    `${binPath}/events`,
    {
      schema: {
        summary: 'Streams captures as Server-Sent Events',
        description:
          'An event per capture, its data the capture as JSON and its id what Last-Event-ID takes; without one the stream begins with the next capture. An event named cleared says that the bin was emptied, one named deleted that it is gone.',
        params: binParamsSchema,
        querystring: streamQuerySchema,
        headers: streamHeadersSchema,
        response: {
          200: bytesOf('text/event-stream'),
          400: errorSchema,
          404: errorSchema,
          429: tooManyReadersSchema,
        },
        responseHeaders: { 200: streamHeaders, 429: streamHeaders },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { log } = await findBin(request, id);
      const { lastSequence = 0 } = (await log.status()) ?? {};
      const asked = request.headers['last-event-id'] ?? request.query.lastEventId;
      const sequence = Math.min(asked ?? lastSequence, lastSequence);
      reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        // Proxies of the nginx family would hold events back.
        .header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send(Buffer.alloc(0));
      const held = holdReader(request, reply, id);
      const stream = Readable.from(streamCaptures(log, sequence, held.signal));
      stream.once('close', held.release);
      return reply.send(stream);
    },
  );
}

async function binIn(sandbox: Sandbox, id: string): Promise<FoundBin | undefined> {
  const bin = await sandbox.read(binsSpace, id);
  return bin && { bin, sandbox, log: sandbox.log(binsSpace, id) };
}

export function unknownBin(): HttpError {
  return new HttpError(
    404,
    'There is no bin of this id; it may have been deleted, or made room for newer ones. POST /api/webhooks/bins makes one.',
  );
}

function refuseFaultyReply(response: BinReply | null | undefined): void {
  const errors = response ? checkBinReply(response) : [];
  if (errors.length === 0) return;
  throw new HttpError(400, errors.map(({ message }) => message).join(' '), { body: { errors } });
}

/** Resolves when there is a capture beyond `sequence`, the bin is gone, or `signal` is aborted. */
async function waitForCapture(
  log: Log<CapturedItem>,
  sequence: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const status = await log.status();
    if (status === undefined || (await log.after(sequence, 1)).length > 0) return;
    // Emptying the bin also wakes us, and is no capture.
    await log.waitPast(Math.max(sequence, status.lastSequence), signal);
  }
}
