/** DPoP proofs as requests bring them: with a nonce of ours, and each once (RFC 9449 sections 8, 9 and 11.1). */

import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import { issuedAt, issueTimedToken } from '../../../http/credentials/timed-token.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/header-values.js';
import type { Sandbox, Space } from '../../../state/state.js';
import { oauthError } from '../oauth-error.js';
import { keyOf } from '../random-text.js';
import type { Confirmation } from '../token/grants.js';
import { type Proof, proofLifeSeconds, readProof } from './read-proof.js';

/** Proofs that were used, by key and `jti`, until they are too old anyway. */
const usedProofs: Space<true> = { name: 'oidc-proofs', maxKeys: 10_000 };

const nonceMs = 5 * 60 * 1000;

interface At {
  readonly sandbox: Sandbox;
  /** Of the request, as clients know it. */
  readonly url: string;
  readonly accessToken?: string;
}

type ProvedKey = Required<Pick<Confirmation, 'jkt'>>;

/** A code of RFC 9449 section 12.2, and a sentence without the full stop. */
export class RejectedProof extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export class Proofs {
  readonly #mac: KeyedMac;

  constructor(mac: KeyedMac) {
    this.#mac = mac;
  }

  /** The key of the proof of a request; `undefined` without a proof. Throws {@link RejectedProof}. */
  async read(
    request: Request,
    reply: Reply,
    { sandbox, url, accessToken }: At,
  ): Promise<ProvedKey | undefined> {
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
    await takeOnce(proof, sandbox);
    return { jkt: proof.jkt };
  }

  /** The same for endpoints of the authorization server, which tell errors as RFC 6749 does. */
  async atEndpoint(
    request: Request,
    reply: Reply,
    sandbox: Sandbox,
    url: string,
  ): Promise<ProvedKey | undefined> {
    try {
      return await this.read(request, reply, { sandbox, url });
    } catch (error) {
      if (error instanceof RejectedProof) throw oauthError(error.code, `${error.message}.`);
      throw error;
    }
  }

  #checkNonce({ nonce }: Proof, sandbox: Sandbox, nowMs: number): void {
    const atMs = nonce === undefined ? undefined : issuedAt(this.#mac, scopeIn(sandbox), nonce);
    if (atMs !== undefined && nowMs >= atMs && nowMs < atMs + nonceMs) return;
    const what = nonce === undefined ? 'needs a nonce' : 'has a nonce that has expired';
    throw new RejectedProof(
      'use_dpop_nonce',
      `The DPoP proof ${what}: sign one with that of the DPoP-Nonce header`,
    );
  }
}

async function takeOnce({ jkt, jti, iat }: Proof, sandbox: Sandbox): Promise<void> {
  const isNew = await sandbox.update(
    usedProofs,
    keyOf(`${jkt} ${jti}`),
    (used: true | undefined) => ({
      value: true as const,
      expiresAtMs: (iat + proofLifeSeconds) * 1000 + 1,
      result: !used,
    }),
  );
  if (!isNew) throw invalid('The jti of the DPoP proof was used before: sign one for each request');
}

function scopeIn({ name }: Sandbox) {
  return { purpose: 'oidc-dpop-nonce', sandbox: name };
}

function invalid(message: string): RejectedProof {
  return new RejectedProof('invalid_dpop_proof', message);
}
