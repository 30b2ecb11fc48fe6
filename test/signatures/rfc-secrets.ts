/** The private halves of the keys of RFC 9421 appendix B.1. */

import { rfcKeys } from '../../src/areas/signatures/keys/rfc-keys.js';

export const jwkOf = (keyid: string): Readonly<Record<string, string>> =>
  rfcKeys.find((key) => key.keyid === keyid)?.jwk ?? {};
export const secret = Buffer.from(jwkOf('test-shared-secret').k ?? '', 'base64url');
