/** Verifies a signature, and finds the difference if it is wrong: RFC 9421 section 3.2. */

import { structuredFields } from '#http/headers/structured-fields.js';
import { digestOf } from '#http/sending/digest-fields.js';
import { cite } from '#kit/verdict/citations.js';
import { type Verdict, verdictOn } from '#kit/verdict/verdict.js';
import { findDifference, unexplained } from './find-difference.js';
import { findKey } from './keys/keys.js';
import type { SignedMessage } from './messages/message.js';
import { attempt, check, unlessFaulty } from './messages/message-fault.js';
import type { MessageSignature } from './parse-signatures.js';
import { baseBytes, type Difference, signatureBase } from './signature-base.js';

export interface Judgement {
  readonly verified: boolean;
  readonly label: string;
  readonly keyid: string | null;
  readonly algorithm: string | null;
  /** Line by line, as computed by the server. */
  readonly signatureBase: readonly string[];
  readonly differs: Difference | null;
}

/** Checks the cryptography, and the signature's parameters. Ignores its age. */
export function judgeSignature(
  message: SignedMessage,
  signature: MessageSignature,
  isExplained: boolean,
): Judgement {
  const { keyid, label } = signature;
  const { lines, missing } = signatureBase(message, signature.input);
  const differs = missing ?? differenceIn(message, signature, lines, isExplained);
  const algorithm = findKey(keyid)?.alg ?? null;
  const verified = differs === null;
  return { verified, label, keyid: keyid ?? null, algorithm, signatureBase: lines, differs };
}

function differenceIn(
  message: SignedMessage,
  { label, bytes, keyid, alg }: MessageSignature,
  lines: readonly string[],
  isExplained: boolean,
): Difference | null {
  const key = findKey(keyid);
  if (key === undefined) {
    const what = keyid === undefined ? 'The signature names no key.' : 'The key is unknown.';
    return { part: 'keyid', message: `${what} GET /api/auth/signature/keys lists the keys.` };
  }
  if (alg !== undefined && alg !== key.alg) {
    return { part: 'alg', message: `The algorithm of ${key.keyid} is ${key.alg}.` };
  }
  const fault = unlessFaulty(
    () => checkDigest(message),
    (message) => ({ part: 'content-digest', message }),
  );
  if (fault !== undefined) return fault;
  if (key.verify(baseBytes(lines), bytes)) return null;
  return isExplained ? findDifference(lines, label, bytes, key) : unexplained;
}

const sections: Readonly<Record<string, string>> = {
  signature: cite('RFC 9421', '3.2'),
  'signature-base': cite('RFC 9421', '2.5'),
  'signature-input': cite('RFC 9421', '4'),
  'content-digest': cite('RFC 9530', '2'),
  keyid: cite('RFC 9421', '3.2'),
  alg: cite('RFC 9421', '3.2'),
  created: cite('RFC 9421', '2.3'),
  expires: cite('RFC 9421', '2.3'),
  nonce: cite('RFC 9421', '2.3'),
  tag: cite('RFC 9421', '2.3'),
};
const ofComponents = cite('RFC 9421', '2');

/** Returns a judgement in the form of every judge. Without a signature, none is judged. */
export function signatureVerdict(
  requestId: string,
  { verified, differs }: Pick<Judgement, 'verified' | 'differs'>,
): Verdict {
  const section = sections[differs?.part ?? 'signature'] ?? ofComponents;
  const hint =
    differs === null
      ? 'Sign the signature base, line by line, with the key that keyid names.'
      : `${differs.part}: ${differs.message}`;
  const isKept = verified || (differs === null ? null : false);
  const part = { isKept, requests: [requestId] };
  return verdictOn('message', { rule: 'signature', level: 'must', section, hint }, [part]);
}

const known = ['sha-256', 'sha-512'] as const;

/** Requires at least one digest, and checks all digests with supported algorithms (RFC 9530 section 2). */
function checkDigest({ fields, body }: SignedMessage): undefined {
  if (fields.textOf('content-digest') === '') return;
  const { serializeItem } = structuredFields();
  const digests = attempt(() => fields.dictionaryOf('content-digest'), 'It is not a dictionary: ');
  const sent = known.filter((name) => digests.has(name));
  check(sent.length > 0, `It has none of the algorithms ${known.join(', ')}.`);
  for (const name of sent) {
    const value = digests.get(name)?.[0];
    check(value instanceof ArrayBuffer, `${name} is not a byte sequence.`);
    const expected = digestOf(name, body);
    const isRight = `${name}=${serializeItem(value)}` === expected;
    check(isRight, `The body that arrived has ${expected}.`);
  }
}
