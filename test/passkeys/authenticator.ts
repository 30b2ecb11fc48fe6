/** An authenticator for tests, which can also misbehave. */

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { encode } from 'cborg';

export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly flags?: number;
  readonly format?: string;
  readonly statement?: Readonly<Record<string, unknown>>;
  /** Changes the attestation object or the authenticator's data. */
  readonly corrupt?: (bytes: Buffer) => Buffer;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly algorithm?: number;
  /** Makes the public key this long; nothing is signed with it. */
  readonly keyBytes?: number;
}

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

export class Authenticator {
  readonly id: string;
  counter = 0;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;

  constructor(origin: string, idBytes = 16) {
    this.#origin = origin;
    this.id = randomBytes(idBytes).toString('base64url');
  }

  create(challenge: string, forgery: Forgery = {}) {
    const clientData = this.#clientData('webauthn.create', challenge, forgery);
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, forgery.algorithm ?? -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#head(attested, forgery),
      Buffer.alloc(16),
      length,
      id,
      forgery.keyBytes === undefined ? encode(key) : rsaKeyOf(forgery.keyBytes),
    ]);
    const signature = this.#sign(authData, clientData);
    const { format: fmt = 'none' } = forgery;
    const own = fmt === 'packed' ? { alg: -7, sig: signature } : {};
    const attStmt = { ...own, ...forgery.statement };
    const object = Buffer.from(encode({ fmt, attStmt, authData }));
    return this.#credential(clientData, forgery, {
      attestationObject: (forgery.corrupt?.(object) ?? object).toString('base64url'),
    });
  }

  get(challenge: string, forgery: Forgery = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, forgery);
    const authData = this.#head(0, forgery);
    const signature = this.#sign(authData, clientData);
    return this.#credential(clientData, forgery, {
      authenticatorData: (forgery.corrupt?.(authData) ?? authData).toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #credential(clientData: Buffer, { members = {} }: Forgery, response: object) {
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: clientData.toString('base64url'), ...response, ...members },
    };
  }

  #clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    const said = {
      type: forgery.type ?? type,
      challenge: forgery.challenge ?? challenge,
      origin: forgery.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(said));
  }

  #head(
    more: number,
    { rpId, counter = this.counter, flags = present | verified }: Forgery,
  ): Buffer {
    const end = Buffer.alloc(5);
    end.writeUInt8(flags | more);
    end.writeUInt32BE(counter, 1);
    const id = rpId ?? new URL(this.#origin).hostname;
    return Buffer.concat([createHash('sha256').update(id).digest(), end]);
  }

  #sign(authData: Buffer, clientData: Buffer): Buffer {
    const hash = createHash('sha256').update(clientData).digest();
    return sign('sha256', Buffer.concat([authData, hash]), this.#keys.privateKey);
  }
}

/** A public key of RSA with any modulus. */
function rsaKeyOf(bytes: number): Uint8Array {
  const keyWith = (modulus: number) =>
    encode(
      new Map<number, number | Uint8Array>([
        [1, 3],
        [3, -257],
        [-1, Buffer.alloc(modulus, 1)],
        [-2, Buffer.from([1, 0, 1])],
      ]),
    );
  const rest = keyWith(256).length - 256;
  return keyWith(bytes - rest);
}
