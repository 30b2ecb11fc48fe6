/** Reads a body in pieces, for a caller that stores each before the next has arrived: nothing else of it is held. */

import { hasBody, noRoomForBodies, tooSlow } from '../../../http/body/request-body.js';
import type { Request } from '../../../http/exchange.js';

type BodyEnding = 'whole' | 'broken';

/**
 * Yields pieces of `maxPieceBytes` and a shorter one at the end. Returns `broken` when the client left in the middle.
 * Throws 503 when all bodies together hold as much as they may, and 408 below the minimum pace. Called once per request,
 * in place of other ways to read it.
 */
export async function* bodyPieces(
  request: Request,
  maxPieceBytes: number,
): AsyncGenerator<Buffer, BodyEnding> {
  const { raw: message } = request;
  if (!hasBody(message)) return 'whole';
  const { bodies } = request.exchanges;
  // A piece that waits, and what arrives until the socket is stopped.
  const reserved = 2 * maxPieceBytes;
  if (!bodies.reserve(reserved)) throw noRoomForBodies();
  // One piece of memory, since a body can arrive in chunks of a byte.
  let memory = Buffer.allocUnsafeSlow(reserved);
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
      const held = memory.subarray(0, waitingBytes);
      waitingBytes += chunk.length;
      if (waitingBytes <= memory.length) chunk.copy(memory, held.length);
      else memory = Buffer.concat([held, chunk]);
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
      const piece = Buffer.from(memory.subarray(0, Math.min(waitingBytes, maxPieceBytes)));
      memory.copyWithin(0, piece.length, waitingBytes);
      waitingBytes -= piece.length;
      yield piece;
      if (waitingBytes < maxPieceBytes) message.resume();
    }
  } finally {
    bodies.arrived(body);
    bodies.release(reserved);
    message.removeAllListeners('data').resume();
  }
}
