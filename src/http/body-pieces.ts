/** A request's body in pieces, for whoever keeps each before the next has come: nothing else of it is held. */

import type { FastifyRequest } from 'fastify';
import { HttpError } from '../server/http-error.js';
import { hasBody } from '../server/lean-request.js';

/** How a body ended that has been read to its end, or as far as it came. */
export type BodyEnding = 'whole' | 'broken';

/**
 * Pieces of at most `maxPieceBytes`, and a shorter one at the end, be it that the client went away in the middle: then
 * the generator returns `broken`. Throws 503 when all bodies together hold what they may, and 408 when this one comes
 * slower than the minimum pace. Once per request, in place of other ways to read it.
 */
export async function* bodyPieces(
  request: FastifyRequest,
  maxPieceBytes: number,
): AsyncGenerator<Buffer, BodyEnding> {
  const { raw: message } = request;
  if (!hasBody(message)) return 'whole';
  const { bodies } = request.server;
  // A piece that waits, and what arrives until the socket is stopped.
  const reserved = 2 * maxPieceBytes;
  if (!bodies.reserve(reserved)) throw noRoomForBodies();
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let ending: BodyEnding | 'slow' | undefined;
  let wake = () => {};
  const end = (how: BodyEnding | 'slow') => {
    ending ??= how;
    wake();
  };
  const body = { arrivedBytes: 0, onTooSlow: () => end('slow') };
  bodies.watch(body);
  message
    .on('data', (chunk: Buffer) => {
      body.arrivedBytes += chunk.length;
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= maxPieceBytes) message.pause();
      wake();
    })
    .once('end', () => end('whole'))
    .once('close', () => end('broken'))
    .on('error', () => end('broken'));
  try {
    for (;;) {
      while (waitingBytes < maxPieceBytes && ending === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (ending === 'slow') throw tooSlow();
      if (waitingBytes === 0) return ending ?? 'whole';
      const all = Buffer.concat(waiting.splice(0));
      const piece = all.subarray(0, maxPieceBytes);
      const rest = all.subarray(piece.length);
      if (rest.length > 0) waiting.push(rest);
      waitingBytes = rest.length;
      yield piece;
      if (waitingBytes < maxPieceBytes) message.resume();
    }
  } finally {
    bodies.arrived(body);
    bodies.release(reserved);
    message.removeAllListeners('data').resume();
  }
}

function noRoomForBodies(): HttpError {
  return new HttpError(
    503,
    'The bodies of all requests under way hold as much as they may. Try again in a moment.',
    { headers: { 'retry-after': '2' } },
  );
}

function tooSlow(): HttpError {
  return new HttpError(408, 'The body came too slowly.', { headers: { connection: 'close' } });
}
