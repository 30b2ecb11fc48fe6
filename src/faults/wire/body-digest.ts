/** The digest of a request's body, whether or not the endpoint reads it. */

import { createHash } from 'node:crypto';
import type { Request } from '../../http/exchange.js';
import { hasBody, readBody } from '../../http/request-body.js';
import type { WireRequest } from '../../wire/request.js';

const digestLength = 22;

/**
 * Watches the body from now on. Call the returned function before the response: it reads a body that was not read, and
 * returns the digest; empty without a body, `null` when not all of it arrived.
 */
export function watchBody(request: Request): () => Promise<string | null> {
  const message = request.raw as WireRequest;
  if (!hasBody(message)) return () => Promise.resolve('');
  const hash = createHash('sha256');
  let size = 0;
  message.watch((chunk) => {
    hash.update(chunk);
    size += chunk.length;
  });
  return async () => {
    if (!message.readableEnded && !message.isBeingRead) {
      // The response is not about faults of the body.
      await readBody(request, 0).catch(() => undefined);
    }
    if (!message.readableEnded) return null;
    return size === 0 ? '' : hash.digest('base64url').slice(0, digestLength);
  };
}
