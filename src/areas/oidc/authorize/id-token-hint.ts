/** ID tokens that clients send as hints of a user: OpenID Connect Core section 3.1.2.1, RP-Initiated Logout section 2. */

import { jose } from '#http/credentials/jose.js';
import type { Signing } from '../model/issuer-keys.js';

export interface Hint {
  readonly sub: string;
  readonly clientId: string;
  readonly sid: string;
}

/** Returns `undefined` for anything but an ID token of this issuer (RP-Initiated Logout, section 2). */
export async function readIdTokenHint(
  { keys, sandbox, issuer }: Signing,
  idToken: string,
): Promise<Hint | undefined> {
  const claims = await keys.verify(sandbox, idToken, {
    issuer: issuer.url,
    // An expired token still identifies its user.
    clockTolerance: '100 years',
  });
  if (claims instanceof Error) return undefined;
  const { decodeProtectedHeader } = await jose();
  // An ID token needs no typ; access tokens have another typ.
  if ((decodeProtectedHeader(idToken).typ ?? 'JWT') !== 'JWT') return undefined;
  const { sub = '', aud, sid } = claims;
  return { sub, clientId: String(aud), sid: String(sid) };
}
