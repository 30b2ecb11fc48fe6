/** Signs responses of this service, as the request's Accept-Signature demands: RFC 9421 section 5. */

import { unixSeconds } from '#base/whole-seconds.js';
import {
  type Dictionary,
  type InnerList,
  type Parameters,
  structuredFields,
} from '#http/headers/structured-fields.js';
import { HttpError } from '#http/http-error.js';
import { findKey, type SignatureKey } from './keys/keys.js';
import type { SignedResponse } from './messages/message.js';
import { attempt, check, isInnerList, unlessFaulty } from './messages/message-fault.js';
import { baseBytes, signatureBase } from './signature-base.js';

const maxLength = 2000;
const maxSignatures = 3;
const maxComponents = 20;
const usualKey = 'test-key-ed25519';
const lifetimeSeconds = 300;

/** Returns the two header fields that sign a response. Throws 400 for a demand that cannot be met. */
export function signResponse(response: SignedResponse, wanted: string, nowMs: number) {
  return unlessFaulty(
    () => sign(response, parseWishes(wanted), nowMs),
    (fault) => {
      throw new HttpError(
        400,
        `Accept-Signature cannot be met: ${fault}. A valid example: sig=("@status" "content-digest" "@method";req);created`,
      );
    },
  );
}

function parseWishes(wanted: string): Dictionary {
  check(wanted.length <= maxLength, 'it is too long for a dictionary');
  const { parseDictionary } = structuredFields();
  const wishes = attempt(() => parseDictionary(wanted), 'it is not a dictionary: ');
  const isUsual = wishes.size > 0 && wishes.size <= maxSignatures;
  check(isUsual, `it must have 1 to ${maxSignatures} signatures`);
  return wishes;
}

function sign(response: SignedResponse, wishes: Dictionary, nowMs: number) {
  const { serializeInnerList, serializeItem } = structuredFields();
  const inputs: string[] = [];
  const signatures: string[] = [];
  for (const [label, wish] of wishes) {
    check(
      isInnerList(wish) && wish[0].length <= maxComponents,
      `${label} must be a list of at most ${maxComponents} components`,
    );
    const key = keyOf(wish[1]);
    const input: InnerList = [wish[0], signedParameters(wish[1], key, nowMs)];
    const { lines, missing } = signatureBase(response, input);
    check(missing === undefined, `${missing?.part} cannot be covered: ${missing?.message}`);
    inputs.push(`${label}=${serializeInnerList(input)}`);
    signatures.push(`${label}=${serializeItem(key.sign(baseBytes(lines)))}`);
  }
  return { 'signature-input': inputs.join(', '), signature: signatures.join(', ') };
}

function keyOf(wished: Parameters): SignatureKey {
  const { keyid = usualKey, alg } = Object.fromEntries(wished);
  const key = typeof keyid === 'string' ? findKey(keyid) : undefined;
  check(key !== undefined, 'keyid must be a key that GET /api/auth/signature/keys lists');
  check(alg === undefined || alg === key.alg, `the algorithm of ${key.keyid} is ${key.alg}`);
  return key;
}

/** Always adds a time, because a signature without one could be reused forever. */
function signedParameters(wished: Parameters, { keyid }: SignatureKey, nowMs: number): Parameters {
  const nowSeconds = unixSeconds(nowMs);
  const parameters: Parameters = new Map([['created', nowSeconds]]);
  if (wished.has('expires')) parameters.set('expires', nowSeconds + lifetimeSeconds);
  parameters.set('keyid', keyid);
  for (const name of ['alg', 'nonce', 'tag']) {
    const value = wished.get(name);
    if (value === undefined) continue;
    check(typeof value === 'string', `${name} must be a string`);
    parameters.set(name, value);
  }
  return parameters;
}
