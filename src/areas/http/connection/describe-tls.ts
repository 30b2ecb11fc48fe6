/** What is known of TLS on a connection. */

import type { Socket } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';

export interface TlsView {
  readonly version: string | null;
  readonly cipher: string;
  /** The protocol that ALPN chose; null without. */
  readonly alpn: string | null;
  /** The host name that the client asked for by SNI; null without. */
  readonly sni: string | null;
  /** Null when the client sent none. */
  readonly clientCertificate: CertificateView | null;
}

export interface CertificateView {
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly fingerprint256: string;
  /** Whether it was verified. */
  readonly isAuthorized: boolean;
}

/** Null for a connection without TLS. */
export function describeTls(socket: Socket | TLSSocket): TlsView | null {
  if (!('encrypted' in socket && socket.encrypted)) return null;
  return {
    version: socket.getProtocol(),
    cipher: socket.getCipher().standardName,
    alpn: socket.alpnProtocol || null,
    sni: ('servername' in socket && String(socket.servername || '')) || null,
    clientCertificate: describeCertificate(socket.getPeerCertificate(), socket.authorized),
  };
}

function describeCertificate(
  certificate: PeerCertificate | null,
  isAuthorized: boolean,
): CertificateView | null {
  // Without one, Node gives an object without members.
  if (!certificate?.fingerprint256) return null;
  const { subject, issuer, serialNumber, valid_from, valid_to, fingerprint256 } = certificate;
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    serialNumber,
    validFrom: new Date(valid_from).toISOString(),
    validTo: new Date(valid_to).toISOString(),
    fingerprint256,
    isAuthorized,
  };
}

/** Such as `O=Practice, CN=client`. */
function nameOf(name: object): string {
  return Object.entries(name)
    .flatMap(([key, values]) => [values].flat().map((value) => `${key}=${value}`))
    .join(', ');
}
