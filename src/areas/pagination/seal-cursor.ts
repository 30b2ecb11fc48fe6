/** Opaque, tamper-proof cursors: a position and a MAC over it (RFC 2104). */

import { createHmac, timingSafeEqual } from 'node:crypto';

const positionBytes = 4;
/** 18 bytes are exactly 24 characters of base64url, so every changed character is detected. */
const macBytes = 14;
const sealed = /^[\w-]{24}$/;

/** `afterId` is an integer from 0 to 2³²−1. */
export function sealCursor(afterId: number, key: string | Buffer): string {
  const position = Buffer.alloc(positionBytes);
  position.writeUInt32BE(afterId);
  return Buffer.concat([position, macOf(position, key)]).toString('base64url');
}

/** Returns the id in a cursor that was sealed with this key, otherwise `undefined`. */
export function openCursor(cursor: string, key: string | Buffer): number | undefined {
  if (!sealed.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, positionBytes);
  const isOurs = timingSafeEqual(bytes.subarray(positionBytes), macOf(position, key));
  return isOurs ? position.readUInt32BE() : undefined;
}

function macOf(position: Buffer, key: string | Buffer): Buffer {
  const hmac = createHmac('sha256', key).update('pagination cursor\n').update(position);
  return hmac.digest().subarray(0, macBytes);
}
