/** Reads a body in pieces, so that the caller can store each piece before the next arrives. */

import { hasBody, tooSlow } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { noRoomForBodies } from '#http/sending/reserve-until-response.js';
import { guard } from '#kit/connection.js';

/**
 * Yields pieces of `maxPieceBytes` and a shorter one at the end, even if the client disconnects early. Throws 503 if
 * all bodies together exceed the memory limit, and 408 below the minimum speed. Call once per request, instead of other
 * ways to read the body.
 */
export async function* bodyPieces(
  request: Request,
  maxPieceBytes: number,
): AsyncGenerator<Buffer, void> {
  const { raw: message } = request;
  if (!hasBody(message)) return;
  const { bodies } = request.exchanges;
  // One waiting piece, and the bytes that arrive until the socket is paused.
  const reserved = 2 * maxPieceBytes;
  if (!bodies.reserve(reserved)) throw noRoomForBodies();
  // One buffer, because a body can arrive in chunks of one byte.
  let memory = Buffer.allocUnsafeSlow(reserved);
  let waitingBytes = 0;
  let isOver = false;
  let isTooSlow = false;
  let wake = () => {};
  const end = guard(message, () => {
    isOver = true;
    wake();
  });
  const onTooSlow = () => {
    isTooSlow = !isOver;
    end();
  };
  const body = {
    ...{ arrivedBytes: 0, pace: undefined, place: -1 },
    ...{ onTooSlow, destroy: () => message.destroy() },
  };
  bodies.watch(body);
  const keep = (chunk: Buffer) => {
    body.arrivedBytes += chunk.length;
    const held = memory.subarray(0, waitingBytes);
    waitingBytes += chunk.length;
    if (waitingBytes <= memory.length) chunk.copy(memory, held.length);
    else memory = Buffer.concat([held, chunk]);
    if (waitingBytes >= maxPieceBytes) message.pause();
    wake();
  };
  message.on('data', guard(message, keep)).once('end', end).once('close', end).on('error', end);
  // The client may have left while the caller waited for the state; then no event follows.
  if (message.closed || message.readableEnded) end();
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
