/**
 * Checks whether a message may call the service: its Timestamp, its UsernameToken, and that its
 * nonce is new.
 */

import { hash } from 'node:crypto';
import type { Sandbox, Space } from '#state/state.js';
import { useOnce } from '#state/use-once.js';
import type { Envelope } from '../read-envelope.js';
import { xmlEncryption } from '../security-names.js';
import { checkTimestamp, tokenSeconds } from './check-times.js';
import { checkToken, type UsedNonce } from './check-token.js';
import { readSecurity } from './read-parts.js';
import { securityFault } from './security-fault.js';
import { soapUser } from './soap-user.js';

export async function judgeSecurity(
  envelope: Envelope,
  sandbox: Sandbox,
  isTimestampOptional: boolean,
): Promise<void> {
  const nowMs = await sandbox.now();
  if (envelope.entry.namespace === xmlEncryption) {
    throw securityFault('UnsupportedAlgorithm', 'The Body is encrypted, which is not supported.');
  }
  const { timestamp, token } = readSecurity(envelope.headers, isTimestampOptional);
  const timestampCreated = timestamp && checkTimestamp(timestamp, nowMs);
  const nonce = checkToken(token, { user: soapUser, nowMs, timestampCreated });
  if (nonce !== undefined) await useUp(nonce, sandbox);
}

/** Nonces by hash. None may be evicted, because it could then be used again. */
const usedNonces: Space<true> = {
  name: 'soap-nonces',
  maxKeys: 5000,
  isKeptWhenFull: true,
  fullMessage:
    'This sandbox has stored 5000 nonces of UsernameTokens, the limit. They expire after at most six minutes.',
};

/** Stores only nonces of valid tokens, so that no client uses up nonces of others. */
async function useUp({ bytes, createdMs }: UsedNonce, sandbox: Sandbox): Promise<void> {
  const key = hash('sha256', bytes, 'base64url');
  const expiresAtMs = createdMs + (tokenSeconds + 1) * 1000;
  if (await useOnce(sandbox, usedNonces, key, expiresAtMs)) return;
  const message =
    'The Nonce was used before. Each message needs a new one, also when it is repeated.';
  throw securityFault('InvalidSecurity', message);
}
