/** Certificates for clients, one valid and the others faulty: RFC 5280 section 6. */

import type { X509Certificate } from 'node:crypto';
import type { Issuers } from './issuers.js';
import {
  type CertificatePlan,
  type Identity,
  makeCertificate,
  makeKeys,
  namedSerial,
} from './make-certificate.js';

export const clientKinds = ['good', 'expired', 'foreign', 'wrong-usage', 'revoked'] as const;
export type ClientKind = (typeof clientKinds)[number];

const dayMs = 24 * 3600 * 1000;
const validDays = 365;
const clientAuthOid = '1.3.6.1.5.5.7.3.2';

/** Alternative names, which an OAuth client may register (RFC 8705 section 2.1.2). */
const clientNames: Partial<Record<ClientKind, readonly string[]>> = {
  good: ['good.client.example', 'https://client.example/good', '192.0.2.1', 'good@client.example'],
};

export async function makeClient(
  kind: ClientKind,
  issuers: Issuers,
  nowMs: number,
): Promise<Identity> {
  const differs: Partial<Record<ClientKind, Partial<CertificatePlan>>> = {
    expired: {
      notBefore: new Date(nowMs - 30 * dayMs),
      notAfter: new Date(nowMs - dayMs),
    },
    'wrong-usage': { usages: ['server'] },
    revoked: { serialOf: revokedName },
  };
  return makeCertificate({
    commonName: `${kind} client`,
    keys: await makeKeys(),
    issuer: kind === 'foreign' ? await issuers.foreignRoot() : await issuers.root(),
    notBefore: new Date(nowMs - dayMs),
    notAfter: new Date(nowMs + validDays * dayMs),
    usages: ['client'],
    altNames: clientNames[kind] ?? [],
    ...differs[kind],
  });
}

const revokedName = 'revoked client';

export function revokedSerial(root: Identity): Promise<Buffer> {
  return namedSerial(root, revokedName);
}

export function clientCertificateFault(
  certificate: X509Certificate,
  root: X509Certificate,
  revokedSerial: string,
  nowMs: number,
): string | undefined {
  const isOurs = certificate.checkIssued(root) && certificate.verify(root.publicKey);
  if (!isOurs) {
    return `it was issued by ${nameOf(certificate.issuer)}, which is not trusted; ${nameOf(root.subject)} is`;
  }
  if (nowMs < Date.parse(certificate.validFrom)) {
    return `it is not valid before ${isoTime(certificate.validFrom)}`;
  }
  if (nowMs > Date.parse(certificate.validTo)) {
    return `it expired at ${isoTime(certificate.validTo)}`;
  }
  const usages = certificate.keyUsage as readonly string[] | undefined;
  if (usages !== undefined && !usages.includes(clientAuthOid)) {
    return 'its extended key usage lacks client authentication (clientAuth)';
  }
  if (certificate.serialNumber === revokedSerial) {
    return `it was revoked: its serial number ${certificate.serialNumber} is on the list of its issuer`;
  }
  return undefined;
}

/** Returns a name such as `O=Practice API, CN=good client`. Node writes one line for each part. */
export function nameOf(lines: string): string {
  return lines.split('\n').join(', ');
}

export function isoTime(text: string): string {
  return new Date(text).toISOString();
}
