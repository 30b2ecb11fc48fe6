/** DPoP proofs of requests: with a nonce of ours, and each once (RFC 9449 sections 8, 9 and 11.1). */

import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import { keyOf } from '../../../http/credentials/secret-text.js';
import { isRecent, issueTimedToken } from '../../../http/credentials/timed-token.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/headers/header-values.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Confirmation } from '../token/grants.js';
import { useOnce } from '../use-once.js';
import { type Proof, proofLifeSeconds, readProof } from './read-proof.js';

/** Proofs that were used, by key and `jti`, until they are too old anyway. */
const usedProofs: Space<true> = { name: 'oidc-proofs', maxKeys: 10_000 };

const nonceMs = 5 * 60 * 1000;

interface At {
  readonly request: Request;
  readonly reply: Reply;
  readonly sandbox: Sandbox;
}

/** A code of RFC 9449 section 12.2, and a sentence without the full stop. */
export class RejectedProof extends OAuthError {
  readonly reason: string;

  constructor(code: string, reason: string) {
    super(code, `${reason}.`);
    this.reason = reason;
  }
}

export class Proofs {
  readonly #mac: KeyedMac;

  constructor(mac: KeyedMac) {
    this.#mac = mac;
  }

  /**
   * Returns the key of the proof of a request, or `undefined` without a proof. Throws {@link RejectedProof}.
   *
   * @param url Of the request, as clients know it
   */
  async read(
    { request, reply, sandbox }: At,
    url: string,
    accessToken?: string,
  ): Promise<Required<Pick<Confirmation, 'jkt'>> | undefined> {
    const headers = headerValues(request, 'dpop');
    const [text] = headers;
    if (text === undefined) return undefined;
    const nowMs = await sandbox.now();
    reply.header('dpop-nonce', issueTimedToken(this.#mac, scopeIn(sandbox), nowMs));
    if (headers.length > 1) throw invalid('There is more than one DPoP header');
    const { method } = request;
    const token = accessToken === undefined ? {} : { accessToken };
    const proof = await readProof(text, { method, url, nowMs, ...token });
    if (typeof proof === 'string') throw invalid(proof);
    this.#checkNonce(proof, sandbox, nowMs);
    const { jkt, jti, iat } = proof;
    const expiresAtMs = (iat + proofLifeSeconds) * 1000 + 1;
    if (await useOnce(sandbox, usedProofs, keyOf(`${jkt} ${jti}`), expiresAtMs)) return { jkt };
    throw invalid('The jti of the DPoP proof was used before: sign one for each request');
  }

  #checkNonce({ nonce }: Proof, sandbox: Sandbox, nowMs: number): void {
    if (isRecent(this.#mac, scopeIn(sandbox), nonce, { nowMs, lifeMs: nonceMs })) return;
    const what = nonce === undefined ? 'needs a nonce' : 'has a nonce that has expired';
    throw new RejectedProof(
      'use_dpop_nonce',
      `The DPoP proof ${what}: sign one with that of the DPoP-Nonce header`,
    );
  }
}

function scopeIn({ name }: Sandbox) {
  return { purpose: 'oidc-dpop-nonce', sandbox: name };
}

function invalid(reason: string): RejectedProof {
  return new RejectedProof('invalid_dpop_proof', reason);
}
