/** Clients that authenticate by a certificate: RFC 8705 section 2.1. */

import { hash } from 'node:crypto';
import type { Request } from '../../../http/exchange.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import type { CertificateAuthority } from '../../../kit/certificates/certificate-authority.js';
import { nameOf } from '../../../kit/certificates/client-certificates.js';
import { tlsSocketOf } from '../../../kit/connection.js';
import type { CertificateName } from './client.js';
import { isCertificateOf } from './match-certificate.js';

export async function checkCertificate(
  request: Request,
  certificates: CertificateAuthority | undefined,
  wanted: CertificateName,
): Promise<void> {
  const socket = tlsSocketOf(request);
  const verdict = socket && (await certificates?.judgeClient(socket));
  if (verdict === undefined) {
    const asked = certificates?.addresses.find(({ site }) => site.requestsCertificate)?.url;
    const where =
      asked === undefined ? 'TLS is off on this service' : `Certificates are asked for at ${asked}`;
    throw rejected(`This client authenticates by a certificate, and sent none. ${where}.`);
  }
  const { certificate, fault } = verdict;
  const name = nameOf(certificate.subject);
  if (fault !== undefined) throw rejected(`The certificate ${name} is rejected: ${fault}.`);
  if (isCertificateOf(certificate, wanted)) return;
  throw rejected(
    `The certificate ${name} is not that of this client, which registered ${wanted.by} ${wanted.name}.`,
  );
}

/** Returns what a token is bound to (RFC 8705 section 3.1), if a certificate was sent. */
export function certificateThumbprint(request: Request): string | undefined {
  const raw = tlsSocketOf(request)?.getPeerCertificate().raw;
  return raw === undefined ? undefined : hash('sha256', raw, 'base64url');
}

function rejected(message: string): OAuthError {
  return new OAuthError('invalid_client', message);
}
