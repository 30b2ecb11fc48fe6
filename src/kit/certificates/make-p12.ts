/**
 * Makes password-protected files of keys and certificates: PKCS #12 (RFC 7292), for Java, Windows
 * and browsers.
 */

import { webcrypto } from 'node:crypto';
import { type Identity, loadPki } from './make-certificate.js';

/** The customary password of such files. */
export const p12Password = 'changeit';

const iterations = 10_000;
const oids = {
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  /** Oracle's extension, without which Java trusts no certificate. */
  trustedKeyUsage: '2.16.840.1.113894.746875.1.1',
  anyPurpose: '2.5.29.37.0',
} as const;

/** Returns a file with certificate and key, or with only a certificate to trust. */
export async function makeP12(name: string, identity: Identity, hasKey: boolean): Promise<Buffer> {
  const { pki, asn1 } = await loadPki();
  const password = new TextEncoder().encode(p12Password).buffer as ArrayBuffer;
  const attribute = (type: string, value: object) =>
    new pki.Attribute({ type, values: [value] as never[] });
  const friendly = attribute(oids.friendlyName, new asn1.BmpString({ value: name }));
  const id = new asn1.OctetString({ valueHex: new Uint8Array([1]).buffer });
  const trust = new asn1.ObjectIdentifier({ value: oids.anyPurpose });
  const mark = hasKey ? attribute(oids.localKeyId, id) : attribute(oids.trustedKeyUsage, trust);
  const certificateBag = new pki.SafeBag({
    bagId: oids.certificate,
    bagValue: new pki.CertBag({ parsedValue: identity.parsed }),
    bagAttributes: [friendly, mark],
  });
  const contents = [new pki.SafeContents({ safeBags: [certificateBag] })];
  if (hasKey) {
    const keyBag = new pki.PKCS8ShroudedKeyBag({ parsedValue: await keyInfo(identity) });
    await keyBag.makeInternalValues({ password, ...encryption } as never);
    const bagAttributes = [friendly, mark];
    const safeBag = new pki.SafeBag({ bagId: oids.shroudedKey, bagValue: keyBag, bagAttributes });
    contents.push(new pki.SafeContents({ safeBags: [safeBag] }));
  }
  // Only the key is secret, and it is encrypted in its bag.
  const safeContents = contents.map((value) => ({ privacyMode: 0, value }));
  const authenticatedSafe = new pki.AuthenticatedSafe({ parsedValue: { safeContents } });
  await authenticatedSafe.makeInternalValues({ safeContents: contents.map(() => ({})) });
  const file = new pki.PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } });
  await file.makeInternalValues({
    password,
    iterations,
    pbkdf2HashAlgorithm: { name: 'SHA-256' },
    hmacHashAlgorithm: 'SHA-256',
  });
  return Buffer.from(file.toSchema().toBER());
}

const encryption = {
  contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256 },
  hmacHashAlgorithm: 'SHA-256',
  iterationCount: iterations,
};

async function keyInfo({ keys }: Identity) {
  const { pki, asn1 } = await loadPki();
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return new pki.PrivateKeyInfo({ schema: asn1.fromBER(der).result });
}
