/** Verifies signed requests: a hex HMAC-SHA256 (RFC 2104) of the time, a dot and the raw body. */

import { createHmac } from 'node:crypto';
import { gotValue } from '#base/text/got-value.js';
import { unixSeconds } from '#base/whole-seconds.js';
import { isSameMac } from '#http/credentials/keyed-mac.js';

/** How far the time of a request may be from the server's, in either direction. */
export const toleranceSeconds = 300;

export interface SignedRequest {
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

/** Returns what is wrong, or `undefined` for a valid signature. */
export function signatureFault(
  secret: string,
  { timestamp, signature, body }: SignedRequest,
  nowMs: number,
): string | undefined {
  if (!timestamp) return 'The header X-Timestamp is missing: send the Unix time in seconds.';
  if (!/^\d{1,12}$/.test(timestamp)) {
    return `The header X-Timestamp must be a Unix time in seconds${gotValue('X-Timestamp', timestamp)}.`;
  }
  if (!signature) {
    return 'The header X-Signature is missing: send the hex HMAC-SHA256 of timestamp + "." + raw body.';
  }
  const [, hex] = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(signature) ?? [];
  if (hex === undefined) {
    return 'The header X-Signature must be 64 hex digits (not base64), with an optional prefix sha256=.';
  }
  const nowSeconds = unixSeconds(nowMs);
  const ahead = Number(timestamp) - nowSeconds;
  if (Math.abs(ahead) > toleranceSeconds) {
    const direction = ahead < 0 ? 'behind' : 'ahead of';
    return `The time in X-Timestamp is ${Math.abs(ahead)} seconds ${direction} the server's, ${nowSeconds}; at most ${toleranceSeconds} are allowed.`;
  }
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  if (isSameMac(Buffer.from(hex, 'hex'), expected)) return undefined;
  return `The signature is wrong: it must be the HMAC-SHA256 of "${timestamp}." and the ${body.length} ${body.length === 1 ? 'byte' : 'bytes'} of the body as sent, with the secret that GET /api/auth lists under hmac.`;
}
