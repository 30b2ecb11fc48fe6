/**
 * Computes the proof that a client, or the server, knows the password: RFC 7616 sections 3.4.1 and
 * 3.5.
 */

import type { Reply } from '../exchange.js';
import { type DigestAlgorithm, digestHash, isSession } from './digest-algorithm.js';

export interface DigestInput {
  readonly algorithm: DigestAlgorithm;
  readonly username: string;
  readonly realm: string;
  readonly password: string;
  readonly nonce: string;
  readonly method: string;
  readonly uri: string;
  /** Without it the response follows RFC 2069, which has no `nc` and `cnonce`. */
  readonly qop?: 'auth' | 'auth-int' | undefined;
  /** Eight hex digits, as sent. */
  readonly nc?: string | undefined;
  readonly cnonce?: string | undefined;
  /** First cnonce of the session, for the algorithms that end in -sess. */
  readonly sessionCnonce?: string | undefined;
  /** Only used for auth-int. */
  readonly body?: Uint8Array | undefined;
}

export function computeResponse(input: DigestInput): string {
  const { algorithm, username, realm, password, nonce, method, uri, qop, nc, cnonce } = input;
  const h = (data: string | Uint8Array) => digestHash(algorithm, data);
  let a1 = h(`${username}:${realm}:${password}`);
  if (isSession(algorithm)) a1 = h(`${a1}:${nonce}:${input.sessionCnonce ?? cnonce ?? ''}`);
  const bodyHash = qop === 'auth-int' ? `:${h(input.body ?? '')}` : '';
  const a2 = h(`${method}:${uri}${bodyHash}`);
  return qop === undefined
    ? h(`${a1}:${nonce}:${a2}`)
    : h(`${a1}:${nonce}:${nc}:${cnonce}:${qop}:${a2}`);
}

/** Contents of Authentication-Info in addition to the proof. */
export interface Proof {
  /** Response body, which auth-int protects; without it there is no proof for auth-int. */
  readonly responseBody?: string | undefined;
  /** Nonce for the client's next request. */
  readonly nextNonce?: string | undefined;
}

/**
 * Sets Authentication-Info (RFC 7616 section 3.5); `input` is the input of the client's response.
 */
export function proveToClient(reply: Reply, input: DigestInput, proof: Proof = {}): void {
  const { qop, nc, cnonce = '' } = input;
  const { responseBody: body, nextNonce } = proof;
  const parts = nextNonce === undefined ? [] : [`nextnonce="${nextNonce}"`];
  if (qop === 'auth' || (qop === 'auth-int' && body !== undefined)) {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const rspauth = computeResponse({ ...input, method: '', body: bytes });
    const escaped = cnonce.replace(/["\\]/g, '\\$&');
    parts.push(`rspauth="${rspauth}"`, `qop=${qop}`, `nc=${nc}`, `cnonce="${escaped}"`);
  }
  if (parts.length > 0) reply.header('authentication-info', parts.join(', '));
}
