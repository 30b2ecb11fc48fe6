/** Sends the pieces of a stream, and notes how it ended. */

import { Readable } from 'node:stream';
import { turns } from '#base/work-in-turns.js';
import type { Reply, Request } from '#http/exchange.js';
import { type HeldRequest, pause } from '#http/held-requests.js';
import { EndedEarly } from '#http/sending/drip.js';
import { guard, resetConnectionOf } from '#kit/connection.js';
import type { LlmParts, StreamForm } from '../messages/provider.js';
import type { Kind, Piece } from './broken-stream.js';
import { beginStream, writePing } from './stream-form.js';

/** Time after which a client that waits in silence is too patient, by the clock of the sandbox. */
export const patienceMs = 15_000;

const pingMs = 500;
const maxSilenceMs = 2 * 60_000;
/** Time for the bytes before a reset to arrive. */
const beforeResetMs = 30;

export interface StreamOptions {
  readonly kind: Kind;
  readonly form: StreamForm;
  /** Pause after each piece. */
  readonly chunkMs?: number | undefined;
  /** Called when a client has waited in silence. */
  readonly onPatience?: () => Promise<void>;
  /** Whether the latest piece shows that the stream is broken, so that a client may react. */
  readonly isShown?: (() => boolean) | undefined;
  /** Called once, before such a piece is sent, or before the last bytes, or an early end. */
  readonly onLast: () => Promise<void>;
  /** Called once, when the stream has ended for any reason. */
  readonly onEnd: (progress: Readonly<Progress>) => Promise<void>;
}

interface Progress {
  isComplete: boolean;
  /** Whether bytes of the body were sent. */
  hasContent: boolean;
  /** When the latest of them were sent, as `performance.now()`. */
  sentAtMs: number;
  /** Whether it ended before its last bytes. */
  isCutShort: boolean;
  /** Whether this service has ended an incomplete stream. */
  isEndedHere: boolean;
}

export interface Outgoing {
  readonly request: Request;
  readonly reply: Reply;
  readonly heldRequest: HeldRequest;
  readonly parts: LlmParts;
}

export function sendStream(
  { request, reply, heldRequest, parts }: Outgoing,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  options: StreamOptions,
): void {
  const progress = {
    ...{ isComplete: false, hasContent: false, isEndedHere: false },
    ...{ sentAtMs: performance.now(), isCutShort: true },
  };
  beginStream(reply, options.form);
  const stream = Readable.from(sending({ request, reply, heldRequest, options }, pieces, progress));
  const end = () => {
    heldRequest.release();
    options.onEnd(progress).catch((error) => parts.services.reportFailure(request, error));
  };
  stream.once('close', guard(request.raw, end));
  reply.send(stream);
}

interface Sending {
  readonly request: Request;
  readonly reply: Reply;
  readonly heldRequest: HeldRequest;
  readonly options: StreamOptions;
}

async function* sending(
  { request, reply, heldRequest, options }: Sending,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  progress: Progress,
): AsyncGenerator<string | Buffer> {
  const { chunkMs = 0 } = options;
  const onLast = async () => {
    progress.isCutShort = false;
    await options.onLast();
  };
  for await (const piece of beforeLast(pieces, onLast, options.isShown)) {
    if (heldRequest.signal.aborted) {
      // The client is still there when the service stops, or the time is over.
      progress.isEndedHere = !reply.raw.destroyed;
      throw new EndedEarly();
    }
    // Without a byte of the body, Node would not send the head.
    if (piece === 'reset' || piece === 'open' || piece === 'pings') reply.raw.flushHeaders();
    if (piece === 'reset') {
      await pause(beforeResetMs, heldRequest);
      progress.isEndedHere = true;
      resetConnectionOf(request.raw);
      throw new EndedEarly();
    }
    if (piece === 'open' || piece === 'pings') {
      yield* silence(request, heldRequest, piece, options);
      progress.isEndedHere = !reply.raw.destroyed;
      throw new EndedEarly();
    }
    if (typeof piece === 'string' || Buffer.isBuffer(piece)) {
      progress.hasContent = true;
      progress.sentAtMs = performance.now();
      yield piece;
      await (chunkMs > 0 ? pause(chunkMs, heldRequest) : turns.whenFree());
    } else {
      await pause(piece.pauseMs, heldRequest);
    }
  }
  progress.isComplete = true;
}

/** Calls `onLast` before the first piece that shows a break, or before the last one. */
async function* beforeLast(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  onLast: () => Promise<void>,
  isShown = () => false,
): AsyncGenerator<Piece> {
  let known: Piece | undefined;
  let isCalled = false;
  for await (const piece of pieces) {
    const shows = isShown() && !isCalled;
    if (known !== undefined) yield known;
    known = piece;
    if (!shows) continue;
    isCalled = true;
    await onLast();
  }
  if (!isCalled) await onLast();
  if (known !== undefined) yield known;
}

async function* silence(
  { sandbox }: Request,
  heldRequest: HeldRequest,
  kind: 'open' | 'pings',
  { kind: endpoint, form, onPatience }: StreamOptions,
): AsyncGenerator<string> {
  const beganAtMs = await sandbox.now();
  const stopsAtMs = performance.now() + maxSilenceMs;
  let isNoted = false;
  while (!heldRequest.signal.aborted && performance.now() < stopsAtMs) {
    await pause(pingMs, heldRequest);
    if (heldRequest.signal.aborted) return;
    if (kind === 'pings') yield writePing(endpoint, form);
    if (isNoted || (await sandbox.now()) - beganAtMs < patienceMs) continue;
    isNoted = true;
    await onPatience?.();
  }
}
