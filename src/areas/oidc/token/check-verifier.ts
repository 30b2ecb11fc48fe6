/** Proof Key for Code Exchange: RFC 7636 section 4.6, and section 4.5.2 of OAuth 2.1 on downgrades. */

import { hash } from 'node:crypto';
import { isSameSecret } from '../../../http/credentials/is-same-secret.js';

const verifierForm = /^[\w.~-]{43,128}$/;

/** What is wrong with a verifier; `undefined` when it is right. */
export function verifierFault(
  challenge: string | undefined,
  verifier: string | undefined,
): string | undefined {
  if (challenge === undefined) {
    return verifier === undefined
      ? undefined
      : 'There is a code_verifier, but the authorization request had no code_challenge.';
  }
  if (verifier === undefined) return 'The code_verifier is missing.';
  if (!verifierForm.test(verifier)) {
    return 'The code_verifier is 43 to 128 letters, digits, dots, hyphens, underscores and tildes.';
  }
  return isSameSecret(hash('sha256', verifier, 'base64url'), challenge)
    ? undefined
    : 'The code_verifier is not the one that the code_challenge was made from.';
}
