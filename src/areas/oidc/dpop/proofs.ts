/** DPoP proofs of requests: with a nonce of ours, and each once (RFC 9449 sections 8, 9 and 11.1). */

import { keyOf } from '../../../http/credentials/secret-text.js';
import { isRecent, issueTimedToken } from '../../../http/credentials/timed-token.js';
import { headerValues } from '../../../http/header-values.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import type { Space } from '../../../state/state.js';
import { useOnce } from '../../../state/use-once.js';
import type { Exchange } from '../exchange.js';
import type { paths } from '../issuer.js';
import { proofLifeSeconds, readProof } from './read-proof.js';

/** Proofs that were used, by key and `jti`, until they are too old anyway. */
const usedProofs: Space<true> = { name: 'oidc-proofs', maxKeys: 10_000 };

const nonceMs = 5 * 60 * 1000;

/** A code of RFC 9449 section 12.2, and a sentence without the full stop. */
export class RejectedProof extends OAuthError {
  readonly reason: string;

  constructor(code: string, reason: string) {
    super(code, `${reason}.`);
    this.reason = reason;
  }
}

/** Returns the key of the proof of a request, or `undefined` without a proof. Throws {@link RejectedProof}. */
export async function provedKey(
  { request, reply, sandbox, issuer, mac }: Exchange,
  part: keyof typeof paths,
  accessToken?: string,
): Promise<{ readonly jkt: string } | undefined> {
  const [text, ...others] = headerValues(request, 'dpop');
  if (text === undefined) return undefined;
  const nowMs = await sandbox.now();
  const scope = { purpose: 'oidc-dpop-nonce', sandbox: sandbox.name };
  reply.header('dpop-nonce', issueTimedToken(mac, scope, nowMs));
  if (others.length > 0) throw invalid('There is more than one DPoP header');
  const { method } = request;
  const proof = await readProof(text, { method, url: issuer.reached(part), nowMs, accessToken });
  if (typeof proof === 'string') throw invalid(proof);
  const { jkt, jti, iat, nonce } = proof;
  if (!isRecent(mac, scope, nonce, { nowMs, lifeMs: nonceMs })) {
    const what = nonce === undefined ? 'needs a nonce' : 'has a nonce that has expired';
    throw new RejectedProof(
      'use_dpop_nonce',
      `The DPoP proof ${what}: sign one with that of the DPoP-Nonce header`,
    );
  }
  const expiresAtMs = (iat + proofLifeSeconds) * 1000 + 1;
  if (await useOnce(sandbox, usedProofs, keyOf(`${jkt} ${jti}`), expiresAtMs)) return { jkt };
  throw invalid('The jti of the DPoP proof was used before: sign one for each request');
}

function invalid(reason: string): RejectedProof {
  return new RejectedProof('invalid_dpop_proof', reason);
}
