/** Signatures of our own responses, as the client wants them: Accept-Signature, RFC 9421 section 5. */

import { unixSeconds } from '../../base/whole-seconds.js';
import { isFault } from '../../http/credentials/fault.js';
import { HttpError } from '../../http/http-error.js';
import { findKey, type SignatureKey } from './keys.js';
import type { SignedResponse } from './message.js';
import type { Field } from './message-fields.js';
import { baseBytes, signatureBase } from './signature-base.js';
import {
  attempt,
  type InnerList,
  isInnerList,
  type Parameters,
  structuredFields,
} from './structured-fields.js';

const maxLength = 2000;
const maxSignatures = 3;
const maxComponents = 20;
const usualKey = 'test-key-ed25519';
const lifetimeSeconds = 300;

/** The two fields that sign a response. Throws 400 for a wish that cannot be met. */
export function signResponse(
  response: SignedResponse,
  wanted: string,
  nowMs: number,
): readonly Field[] {
  const { parseDictionary, serializeInnerList, serializeItem } = structuredFields();
  const wishes =
    wanted.length > maxLength
      ? { fault: 'it is too long' }
      : attempt(() => parseDictionary(wanted));
  if (isFault(wishes)) throw rejected(`it is no dictionary: ${wishes.fault}`);
  if (wishes.size === 0 || wishes.size > maxSignatures) {
    throw rejected(`it asks for 1 to ${maxSignatures} signatures`);
  }
  const inputs: string[] = [];
  const signatures: string[] = [];
  for (const [label, wish] of wishes) {
    if (!isInnerList(wish) || wish[0].length > maxComponents) {
      throw rejected(`${label} is a list of at most ${maxComponents} components`);
    }
    const key = keyOf(wish[1]);
    const input: InnerList = [wish[0], signedParameters(wish[1], key, nowMs)];
    const { lines, missing } = signatureBase(response, input);
    if (missing !== undefined)
      throw rejected(`${missing.part} cannot be covered: ${missing.fault}`);
    inputs.push(`${label}=${serializeInnerList(input)}`);
    signatures.push(`${label}=${serializeItem(key.sign(baseBytes(lines)))}`);
  }
  return [
    ['signature-input', inputs.join(', ')],
    ['signature', signatures.join(', ')],
  ];
}

function keyOf(wished: Parameters): SignatureKey {
  const { keyid = usualKey, alg } = Object.fromEntries(wished);
  const key = typeof keyid === 'string' ? findKey(keyid) : undefined;
  if (key === undefined)
    throw rejected('keyid is one of those that GET /api/auth/signature/keys lists');
  if (alg !== undefined && alg !== key.alg) throw rejected(`${key.keyid} is a key for ${key.alg}`);
  return key;
}

/** A signature without a time could be shown for ever, so there is one whether or not it was asked for. */
function signedParameters(wished: Parameters, { keyid }: SignatureKey, nowMs: number): Parameters {
  const nowSeconds = unixSeconds(nowMs);
  const parameters: Parameters = new Map();
  parameters.set('created', nowSeconds);
  if (wished.has('expires')) parameters.set('expires', nowSeconds + lifetimeSeconds);
  parameters.set('keyid', keyid);
  for (const name of ['alg', 'nonce', 'tag']) {
    const value = wished.get(name);
    if (value === undefined) continue;
    if (typeof value !== 'string') throw rejected(`${name} is a string`);
    parameters.set(name, value);
  }
  return parameters;
}

function rejected(why: string): HttpError {
  return new HttpError(
    400,
    `Accept-Signature cannot be met: ${why}. Such as: sig=("@status" "content-digest" "@method";req);created`,
  );
}
