/** Describes the TLS of a connection. */

import type { Socket } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';

/** Returns null for a connection without TLS. */
export function describeTls(socket: Socket | TLSSocket) {
  if (!('encrypted' in socket && socket.encrypted)) return null;
  return {
    version: socket.getProtocol(),
    cipher: socket.getCipher().standardName,
    alpn: socket.alpnProtocol || null,
    sni: ('servername' in socket && String(socket.servername || '')) || null,
    clientCertificate: describeCertificate(socket.getPeerCertificate(), socket.authorized),
  };
}

function describeCertificate(certificate: PeerCertificate | null, isAuthorized: boolean) {
  // Without a certificate, Node returns an object without members.
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
