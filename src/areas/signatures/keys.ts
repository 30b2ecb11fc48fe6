/** Signing and verifying with the published keys: the algorithms of RFC 9421 section 3.3. */

import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { lazily } from '../../base/lazily.js';
import { isSameMac } from '../../http/credentials/keyed-mac.js';
import { type PublishedKey, rfcKeys } from './rfc-keys.js';

export interface SignatureKey {
  readonly keyid: string;
  readonly alg: PublishedKey['alg'];
  readonly verify: (bytes: Buffer, signature: Buffer) => boolean;
  readonly sign: (bytes: Buffer) => Buffer;
  /** The same key as clients use it by mistake, and what the mistake is. */
  readonly mistakes: readonly (readonly [
    what: string,
    verify: (bytes: Buffer, signature: Buffer) => boolean,
  ])[];
}

/** Made when the first signature asks for one. */
const keys = lazily(() => new Map(rfcKeys.map((key) => [key.keyid, keyOf(key)])));

export function findKey(keyid: string): SignatureKey | undefined {
  return keys().get(keyid);
}

function keyOf({ keyid, alg, jwk }: PublishedKey): SignatureKey {
  if (alg === 'hmac-sha256') return { keyid, alg, ...sharedKey(jwk.k ?? '') };
  const privateKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  return { keyid, alg, ...signers[alg](privateKey, createPublicKey(privateKey)) };
}

type Rules = Omit<SignatureKey, 'keyid' | 'alg'>;

function sharedKey(text: string): Rules {
  const secret = Buffer.from(text, 'base64url');
  const mac = (key: Buffer | string) => (bytes: Buffer) =>
    createHmac('sha256', key).update(bytes).digest();
  const verifyWith = (key: Buffer | string) => (bytes: Buffer, signature: Buffer) =>
    isSameMac(signature, mac(key)(bytes));
  return {
    sign: mac(secret),
    verify: verifyWith(secret),
    mistakes: [
      [
        'The key is the text of the secret; decode its base64 first.',
        verifyWith(secret.toString('base64')),
      ],
    ],
  };
}

const { RSA_PKCS1_PSS_PADDING: pss } = constants;

const signers: Readonly<
  Record<Exclude<PublishedKey['alg'], 'hmac-sha256'>, (own: KeyObject, open: KeyObject) => Rules>
> = {
  ed25519: (own, open) => ({
    sign: (bytes) => sign(null, bytes, own),
    verify: (bytes, signature) => verify(null, bytes, open, signature),
    mistakes: [],
  }),
  'ecdsa-p256-sha256': (own, open) => {
    const dsaEncoding = 'ieee-p1363';
    return {
      sign: (bytes) => sign('sha256', bytes, { key: own, dsaEncoding }),
      verify: (bytes, signature) => verify('sha256', bytes, { key: open, dsaEncoding }, signature),
      mistakes: [
        [
          'The signature is DER; send r and s one after the other, 32 bytes each.',
          (bytes, signature) => verify('sha256', bytes, open, signature),
        ],
      ],
    };
  },
  'rsa-pss-sha512': (own, open) => {
    const withSalt = (key: KeyObject, saltLength: number) => ({ key, padding: pss, saltLength });
    return {
      sign: (bytes) => sign('sha512', bytes, withSalt(own, 64)),
      verify: (bytes, signature) => verify('sha512', bytes, withSalt(open, 64), signature),
      mistakes: [
        [
          'The salt has another length; it has 64 bytes.',
          (bytes, signature) =>
            verify('sha512', bytes, withSalt(open, constants.RSA_PSS_SALTLEN_AUTO), signature),
        ],
        [
          'The padding is that of PKCS#1 v1.5; this key signs with PSS.',
          (bytes, signature) => verify('sha512', bytes, open, signature),
        ],
        [
          'The hash is SHA-256; this key signs with SHA-512.',
          (bytes, signature) =>
            verify('sha256', bytes, withSalt(open, constants.RSA_PSS_SALTLEN_AUTO), signature),
        ],
      ],
    };
  },
  'rsa-v1_5-sha256': (own, open) => ({
    sign: (bytes) => sign('sha256', bytes, own),
    verify: (bytes, signature) => verify('sha256', bytes, open, signature),
    mistakes: [
      [
        'The padding is PSS; this key signs with PKCS#1 v1.5.',
        (bytes, signature) =>
          verify(
            'sha512',
            bytes,
            { key: open, padding: pss, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
            signature,
          ),
      ],
    ],
  }),
};
