/** An ID token that comes back as a hint: it may have expired, but must be one of ours (RP-Initiated Logout, section 2). */

import { jose } from '../../../http/credentials/jose.js';
import type { Signing } from '../exchange.js';
import { signingAlgorithms } from '../keys/key-ring.js';

export interface Hint {
  readonly sub: string;
  readonly clientId: string;
  readonly sid: string;
}

/** `undefined` for what this issuer did not sign as an ID token. */
export async function subOfHint(
  { keys, sandbox, issuer }: Signing,
  idToken: string,
): Promise<Hint | undefined> {
  try {
    const payload = await keys.verify(sandbox, idToken, {
      issuer: issuer.url,
      algorithms: [...signingAlgorithms],
      typ: 'JWT',
      // What has expired still says whom it was about.
      clockTolerance: '100 years',
    });
    const { sub = '', aud, sid } = payload;
    return { sub, clientId: String(aud), sid: String(sid) };
  } catch (error) {
    const { errors } = await jose();
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
