/** Reads a body in pieces, for a caller that stores each before the next has arrived: nothing else of it is held. */

import { hasBody, noRoomForBodies, tooSlow } from '../../../http/body/request-body.js';
import type { Request } from '../../../http/exchange.js';

/**
 * Yields pieces of `maxPieceBytes` and a shorter one at the end, also when the client left in the middle. Throws 503 when
 * all bodies together hold as much as they may, and 408 below the minimum pace. Called once per request, in place of other
 * ways to read it.
 */
export async function* bodyPieces(
  request: Request,
  maxPieceBytes: number,
): AsyncGenerator<Buffer, void> {
  const { raw: message } = request;
  if (!hasBody(message)) return;
  const { bodies } = request.exchanges;
  // A piece that waits, and what arrives until the socket is stopped.
  const reserved = 2 * maxPieceBytes;
  if (!bodies.reserve(reserved)) throw noRoomForBodies();
  // One piece of memory, since a body can arrive in chunks of a byte.
  let memory = Buffer.allocUnsafeSlow(reserved);
  let waitingBytes = 0;
  let isOver = false;
  let isTooSlow = false;
  let wake = () => {};
  const end = () => {
    isOver = true;
    wake();
  };
  const onTooSlow = () => {
    isTooSlow = !isOver;
    end();
  };
  const body = { arrivedBytes: 0, onTooSlow };
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
    .once('end', end)
    .once('close', end)
    .on('error', end);
  try {
    for (;;) {
      while (waitingBytes < maxPieceBytes && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (isTooSlow) throw tooSlow();
      if (waitingBytes === 0) return;
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
