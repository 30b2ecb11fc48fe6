/** Makes keys and certificates (RFC 5280): valid, and with faults that a client must detect. */

import { createHash, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Certificate, Extension } from 'pkijs';
import { lazily } from '#base/lazily.js';

type KeyPair = webcrypto.CryptoKeyPair;

/** Loads the X.509 libraries on first use, which is never without TLS. */
export const loadPki = lazily(async () => {
  const [pki, asn1] = await Promise.all([import('pkijs'), import('asn1js')]);
  return { pki, asn1, subtle: webcrypto.subtle };
});

export interface Identity {
  readonly certificate: X509Certificate;
  readonly keys: KeyPair;
  /** The certificate and its intermediates, in sending order. */
  readonly chainPem: string;
  readonly keyPem: string;
  /** The form in which the library issues other certificates. */
  readonly parsed: Certificate;
}

export interface CertificatePlan {
  readonly commonName: string;
  readonly keys: KeyPair;
  /** Self-signed without an issuer. */
  readonly issuer?: Identity | undefined;
  /** Certificates that a server sends after its own. Default: the chain of the issuer. */
  readonly chainPem?: string | undefined;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly hash?: 'SHA-256' | 'SHA-1' | undefined;
  /** DNS names, addresses, URIs and mailboxes. */
  readonly altNames?: readonly string[] | undefined;
  readonly isAuthority?: boolean | undefined;
  readonly usages?: readonly ('server' | 'client')[] | undefined;
  readonly crlUrl?: string | undefined;
  /** Determines the serial number together with the issuer, so that it never changes. */
  readonly serialOf?: string | undefined;
}

const oids = {
  commonName: '2.5.4.3',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlDistributionPoints: '2.5.29.31',
  authorityKeyId: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
} as const;

const usageOids = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/** Makes keys on a curve, which needs a millisecond, or RSA keys of a size. */
export async function makeKeys(rsaBits?: number): Promise<KeyPair> {
  const { subtle } = await loadPki();
  const uses: webcrypto.KeyUsage[] = ['sign', 'verify'];
  if (rsaBits === undefined) {
    return subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, uses);
  }
  const publicExponent = new Uint8Array([1, 0, 1]);
  const rsa = { name: 'RSASSA-PKCS1-v1_5', modulusLength: rsaBits, publicExponent };
  return subtle.generateKey({ ...rsa, hash: 'SHA-256' }, true, uses);
}

export async function makeCertificate(plan: CertificatePlan): Promise<Identity> {
  const { pki, asn1, subtle } = await loadPki();
  const { keys, issuer, hash = 'SHA-256' } = plan;
  const certificate = new pki.Certificate({ version: 2 });
  certificate.serialNumber = new asn1.Integer({ valueHex: asBytes(await serialNumber(plan)) });
  certificate.notBefore.value = plan.notBefore;
  certificate.notAfter.value = plan.notAfter;
  const name = new asn1.Utf8String({ value: plan.commonName });
  certificate.subject.typesAndValues.push(
    new pki.AttributeTypeAndValue({ type: oids.commonName, value: name }),
  );
  certificate.issuer = (issuer?.parsed ?? certificate).subject;
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  certificate.extensions = await extensionsOf(plan);
  const signer = (issuer?.keys ?? keys).privateKey;
  await certificate.sign(signer, hash);
  const der = Buffer.from(certificate.toSchema(true).toBER());
  const pem = pemOf('CERTIFICATE', der);
  const privateKey = await subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: new X509Certificate(der),
    keys,
    chainPem:
      pem + (plan.chainPem ?? (issuer?.parsed && isRoot(issuer) ? '' : (issuer?.chainPem ?? ''))),
    keyPem: pemOf('PRIVATE KEY', Buffer.from(privateKey)),
    parsed: certificate,
  };
}

/** A root is not sent, because clients that trust it have it. */
function isRoot({ certificate }: Identity): boolean {
  return certificate.subject === certificate.issuer;
}

export function pemOf(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

async function extensionsOf(plan: CertificatePlan): Promise<Extension[]> {
  const { pki, asn1 } = await loadPki();
  const { altNames = [], isAuthority = false, usages = [], crlUrl, issuer } = plan;
  const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    new pki.Extension({ extnID, critical, extnValue: value.toBER() });
  const keyId = await keyIdOf(plan.keys);
  const issuerKeyId = issuer === undefined ? keyId : await keyIdOf(issuer.keys);
  const constraints = new pki.BasicConstraints({ cA: isAuthority });
  // keyCertSign and cRLSign, or digitalSignature.
  const bits = isAuthority ? { byte: 0b0000_0110, unused: 1 } : { byte: 0b1000_0000, unused: 7 };
  const keyUsage = new asn1.BitString({
    valueHex: new Uint8Array([bits.byte]).buffer,
    unusedBits: bits.unused,
  });
  const authority = new pki.AuthorityKeyIdentifier({
    keyIdentifier: new asn1.OctetString({ valueHex: asBytes(issuerKeyId) }),
  });
  const extensions = [
    extension(oids.basicConstraints, true, constraints.toSchema()),
    extension(oids.keyUsage, true, keyUsage),
    extension(oids.subjectKeyId, false, new asn1.OctetString({ valueHex: asBytes(keyId) })),
    extension(oids.authorityKeyId, false, authority.toSchema()),
  ];
  if (usages.length > 0) {
    const keyPurposes = usages.map((usage) => usageOids[usage]);
    const purposes = new pki.ExtKeyUsage({ keyPurposes });
    extensions.push(extension(oids.extKeyUsage, false, purposes.toSchema()));
  }
  if (altNames.length > 0) {
    const names = altNames.map((each) => {
      if (isIP(each) === 0) return new pki.GeneralName({ type: nameType(each), value: each });
      const value = new asn1.OctetString({ valueHex: addressBytes(each) });
      return new pki.GeneralName({ type: 7, value });
    });
    const alternative = new pki.GeneralNames({ names });
    extensions.push(extension(oids.subjectAltName, false, alternative.toSchema()));
  }
  if (crlUrl !== undefined) {
    const place = new pki.DistributionPoint({
      distributionPoint: [new pki.GeneralName({ type: 6, value: crlUrl })],
    });
    const points = new pki.CRLDistributionPoints({ distributionPoints: [place] });
    extensions.push(extension(oids.crlDistributionPoints, false, points.toSchema()));
  }
  return extensions;
}

/** Returns the tag of a URI, a mailbox or a DNS name (RFC 5280 section 4.2.1.6). */
function nameType(name: string): 6 | 1 | 2 {
  if (name.includes('://')) return 6;
  return name.includes('@') ? 1 : 2;
}

function addressBytes(address: string): ArrayBuffer {
  return new Uint8Array(ipaddr.parse(address).toByteArray()).buffer;
}

/** Returns the hash of a public key (RFC 5280 section 4.2.1.2). */
async function keyIdOf({ publicKey }: KeyPair): Promise<Buffer> {
  const der = KeyObject.from(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha1').update(der).digest();
}

function serialNumber({ keys, issuer, serialOf, commonName }: CertificatePlan): Promise<Buffer> {
  const signer = issuer?.keys ?? keys;
  return serialOf === undefined
    ? serialFrom([signer, keys], commonName)
    : serialFrom([signer], serialOf);
}

/** Returns a constant serial number, so that revocation lists need no memory. */
export function namedSerial(issuer: Identity, name: string): Promise<Buffer> {
  return serialFrom([issuer.keys], name);
}

/** Returns sixteen bytes, as a positive number. */
async function serialFrom(keys: readonly KeyPair[], name: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const each of keys) hash.update(await keyIdOf(each));
  const serial = hash.update(name).digest().subarray(0, 16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

function asBytes(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
