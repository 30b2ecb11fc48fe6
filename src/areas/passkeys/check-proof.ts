/** Checks what a browser and an authenticator have signed, in our words: WebAuthn Level 3, sections 7.1 and 7.2. */

import { hash } from 'node:crypto';
import { gotValue } from '#base/text/got-value.js';

/** The reason to reject a proof, for the caller. */
export class ProofFault extends Error {}

const types = { register: 'webauthn.create', login: 'webauthn.get' } as const;

/** Checks the browser's part. Throws {@link ProofFault}. */
export function checkClientData(
  clientDataJSON: string,
  { kind, origin }: { readonly kind: keyof typeof types; readonly origin: string },
): void {
  const sent = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
  if (sent.type !== types[kind]) {
    const got = gotValue('type', sent.type);
    throw new ProofFault(`the type in clientDataJSON must be ${types[kind]}${got}`);
  }
  if (sent.origin !== origin) {
    const got = gotValue('origin', sent.origin);
    throw new ProofFault(`the origin in clientDataJSON must be ${origin}${got}`);
  }
  if (sent.topOrigin !== undefined) {
    const got = gotValue('topOrigin', sent.topOrigin);
    throw new ProofFault(`the page must not be in a frame of another origin${got}`);
  }
}

/** Bits of the flags: section 6.1. */
const flagBits = { UP: 0x01, BE: 0x08, BS: 0x10 } as const;
/** The host's hash, the flags and the counter. */
const leastBytes = 37;

/** Checks the authenticator's part, and returns whether the passkey may be backed up. Throws {@link ProofFault}. */
export function checkAuthenticatorData(data: Uint8Array, rpId: string): boolean {
  if (data.length < leastBytes) {
    throw new ProofFault(
      `the authenticator data needs at least ${leastBytes} bytes; got ${data.length}`,
    );
  }
  if (!hash('sha256', rpId, 'buffer').equals(data.subarray(0, 32))) {
    throw new ProofFault(`the authenticator data is for another host than ${rpId}`);
  }
  const has = (flag: keyof typeof flagBits) => ((data[32] ?? 0) & flagBits[flag]) !== 0;
  if (!has('UP')) throw new ProofFault('the flag UP is 0: no user was present');
  if (has('BS') && !has('BE')) {
    throw new ProofFault('the flag BS is 1 but BE is 0: a passkey that cannot be backed up is');
  }
  return has('BE');
}
