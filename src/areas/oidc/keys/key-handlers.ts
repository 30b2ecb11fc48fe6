/** The keys of an issuer as clients see them (RFC 7517 section 5). */

import { ownSandbox } from '../../../kit/own-sandbox.js';
import type { Exchange } from '../exchange.js';
import { misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { wrongKeys } from '../misbehaviour/wrong-id-token.js';
import { publishedKeys } from './key-ring.js';

export async function showKeys({ request, sandbox, keys }: Exchange) {
  const ring = await keys.ringOf(sandbox);
  const misbehaviour = await misbehaviourAt(sandbox, requestedMisbehaviour(request));
  const published = publishedKeys(ring, await sandbox.now());
  return { keys: await wrongKeys(misbehaviour?.name, published) };
}

export async function rotateKeys({ request, keys }: Exchange) {
  const sandbox = ownSandbox(request, 'Keys are rotated in');
  const ring = await keys.rotate(sandbox);
  return { keys: publishedKeys(ring, await sandbox.now()) };
}
