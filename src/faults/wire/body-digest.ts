/** A digest of a request's body that keeps none of it, whoever reads it, or nobody. */

import { createHash } from 'node:crypto';
import { hasBody, readBody } from '../../http/body/request-body.js';
import type { Request } from '../../http/exchange.js';
import type { WireRequest } from '../../wire/request.js';

/** Of base64url: enough that no two bodies of a log have the same. */
const digestLength = 22;

/**
 * Watches the body from now on. What is returned gives the digest, empty without a body, once the request
 * is about to be answered: it reads what nobody did, and gives `null` when not all of it was read.
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
      // Whatever is wrong with it, the answer is not about the body.
      await readBody(request, 0).catch(() => undefined);
    }
    if (!message.readableEnded) return null;
    return size === 0 ? '' : hash.digest('base64url').slice(0, digestLength);
  };
}
