/** The payload hash of a request, which must be the hash of its body. */

import { hash } from 'node:crypto';
import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import type { Field } from './canonical-request.js';
import { reject } from './difference.js';
import type { PresentedSignature } from './read-signature.js';
import { isS3 } from './signed-request.js';

const part = 'X-Amz-Content-Sha256';

export const unsignedPayload = 'UNSIGNED-PAYLOAD';

/** Returns the hash in the headers; `undefined` if the request has none. Needs only the head. */
export function readPayloadHash(
  request: Request,
  signature: PresentedSignature,
  pairs: readonly Field[],
): string | undefined {
  const isPresigned = signature.expiresSeconds !== undefined;
  const named = isPresigned ? pairs.find(([name]) => name === part)?.[1] : undefined;
  const sent = singleHeader(request, 'x-amz-content-sha256') ?? named;
  if (sent === undefined) {
    if (!isS3(signature)) return undefined;
    return isPresigned ? unsignedPayload : reject(part, 'It is missing. S3 requires it.');
  }
  if (sent.startsWith('STREAMING-')) {
    const instead = `Send the hash of the whole body, or ${unsignedPayload}.`;
    throw new HttpError(400, `Bodies signed in chunks (STREAMING-…) are not supported. ${instead}`);
  }
  if (sent === unsignedPayload || /^[\da-f]{64}$/.test(sent)) return sent;
  return reject(part, `It must be 64 hex digits in lower case, or ${unsignedPayload}.`);
}

/** Returns the hash that is signed. */
export function checkedPayloadHash(named: string | undefined, body: Buffer): string {
  const actual = hash('sha256', body, 'hex');
  if (named === undefined || named === actual) return actual;
  if (named === unsignedPayload) return named;
  const size = `${body.length} ${body.length === 1 ? 'byte' : 'bytes'}`;
  return reject(part, `It is not the hash of the ${size} that arrived: ${actual}.`);
}
