/** Whether a signature is right, and if not, where it differs: RFC 9421 section 3.2. */

import { digestFault } from './check-digest.js';
import { type Difference, findDifference, unexplained } from './find-difference.js';
import { findKey } from './keys.js';
import type { SignedMessage } from './message.js';
import type { MessageSignature } from './parse-signatures.js';
import { baseBytes, signatureBase } from './signature-base.js';

export interface Judgement {
  readonly verified: boolean;
  readonly label: string;
  readonly keyid: string | null;
  readonly algorithm: string | null;
  /** Line by line, as it was made here. */
  readonly signatureBase: string[];
  readonly differs: Difference | null;
}

/** The cryptography, and what the signature says of itself. Its age is not looked at. */
export function judgeSignature(
  message: SignedMessage,
  signature: MessageSignature,
  { isExplained }: { readonly isExplained: boolean },
): Judgement {
  const { label, input, bytes, keyid, alg } = signature;
  const { lines, missing } = signatureBase(message, input);
  const key = keyid === undefined ? undefined : findKey(keyid);
  const told = (differs: Difference | null): Judgement => ({
    verified: differs === null,
    label,
    keyid: keyid ?? null,
    algorithm: key?.alg ?? null,
    signatureBase: [...lines],
    differs,
  });
  if (missing !== undefined) return told({ part: missing.part, message: missing.fault });
  if (key === undefined) {
    const message = keyid === undefined ? 'The signature names no key.' : 'The key is unknown.';
    return told({
      part: 'keyid',
      message: `${message} GET /api/auth/signature/keys lists the keys.`,
    });
  }
  if (alg !== undefined && alg !== key.alg) {
    return told({ part: 'alg', message: `${key.keyid} is a key for ${key.alg}.` });
  }
  const digest = digestFault(message);
  if (digest !== undefined) return told({ part: 'content-digest', message: digest });
  if (key.verify(baseBytes(lines), bytes)) return told(null);
  return told(isExplained ? findDifference(lines, label, bytes, key) : unexplained);
}
