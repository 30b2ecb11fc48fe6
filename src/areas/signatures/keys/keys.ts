/** Signs and verifies with the published keys: the algorithms of RFC 9421 section 3.3. */

import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
} from 'node:crypto';
import { lazily } from '#base/lazily.js';
import { isSameMac } from '#http/credentials/keyed-mac.js';
import { type PublishedKey, rfcKeys } from './rfc-keys.js';

type Verify = (bytes: Buffer, signature: Buffer) => boolean;

export interface SignatureKey {
  readonly keyid: string;
  readonly alg: PublishedKey['alg'];
  readonly verify: Verify;
  readonly sign: (bytes: Buffer) => Buffer;
  /** Wrong uses of the key that clients make by mistake, with a description of each. */
  readonly mistakes: readonly (readonly [what: string, verify: Verify])[];
}

/** Imported when the first signature names a key. */
const keys = lazily(() => new Map(rfcKeys.map((key) => [key.keyid, keyOf(key)])));

export function findKey(keyid: string | undefined): SignatureKey | undefined {
  return keyid === undefined ? undefined : keys().get(keyid);
}

/** How a key pair signs: the hash and the options of Node. */
interface Method {
  readonly hash: string | null;
  readonly dsaEncoding?: 'ieee-p1363';
  readonly padding?: number;
  readonly saltLength?: number;
}

const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: anySalt } = constants;

const pss = (hash: string, saltLength: number): Method => ({ hash, padding, saltLength });

const methods: Readonly<Record<Exclude<PublishedKey['alg'], 'hmac-sha256'>, Method>> = {
  ed25519: { hash: null },
  'ecdsa-p256-sha256': { hash: 'sha256', dsaEncoding: 'ieee-p1363' },
  'rsa-pss-sha512': pss('sha512', 64),
  'rsa-v1_5-sha256': { hash: 'sha256' },
};

const mistakes: Readonly<Record<keyof typeof methods, readonly (readonly [string, Method])[]>> = {
  ed25519: [],
  'ecdsa-p256-sha256': [
    ['The signature is in DER; send r and s in sequence, 32 bytes each.', { hash: 'sha256' }],
  ],
  'rsa-pss-sha512': [
    ['The salt has another length; it must have 64 bytes.', pss('sha512', anySalt)],
    ['The padding is PKCS#1 v1.5; this key signs with PSS.', { hash: 'sha512' }],
    ['The hash is SHA-256; this key signs with SHA-512.', pss('sha256', anySalt)],
  ],
  'rsa-v1_5-sha256': [
    ['The padding is PSS; this key signs with PKCS#1 v1.5.', pss('sha512', anySalt)],
  ],
};

function keyOf({ keyid, alg, jwk }: PublishedKey): SignatureKey {
  if (alg === 'hmac-sha256') return { keyid, alg, ...sharedKey(jwk.k ?? '') };
  const privateKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const publicKey = createPublicKey(privateKey);
  const verifyBy =
    ({ hash, ...options }: Method): Verify =>
    (bytes, signature) =>
      verify(hash, bytes, { key: publicKey, ...options }, signature);
  const { hash, ...options } = methods[alg];
  return {
    keyid,
    alg,
    sign: (bytes) => sign(hash, bytes, { key: privateKey, ...options }),
    verify: verifyBy(methods[alg]),
    mistakes: mistakes[alg].map(([what, method]) => [what, verifyBy(method)]),
  };
}

function sharedKey(text: string): Pick<SignatureKey, 'sign' | 'verify' | 'mistakes'> {
  const secret = Buffer.from(text, 'base64url');
  const mac = (key: Buffer | string, bytes: Buffer) =>
    createHmac('sha256', key).update(bytes).digest();
  const verifyBy =
    (key: Buffer | string): Verify =>
    (bytes, signature) =>
      isSameMac(signature, mac(key, bytes));
  const what = 'The key is the text of the secret; decode its base64 first.';
  return {
    sign: (bytes) => mac(secret, bytes),
    verify: verifyBy(secret),
    mistakes: [[what, verifyBy(secret.toString('base64'))]],
  };
}
