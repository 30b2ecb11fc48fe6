/** Clients that authenticate with a certificate: RFC 8705 section 2.1. */

import { hash, type X509Certificate } from 'node:crypto';
import type { Request } from '#http/exchange.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import { nameOf } from '#kit/certificates/client-certificates.js';
import { tlsSocketOf } from '#kit/connection.js';
import type { Exchange } from '../exchange.js';
import type { CertificateName } from '../model/client.js';

export async function checkCertificate(at: Exchange, wanted: CertificateName): Promise<void> {
  const { certificates } = at.services;
  const socket = tlsSocketOf(at.request);
  const verdict = socket && (await certificates?.judgeClient(socket));
  if (verdict === undefined) {
    const asked = certificates?.addresses.find(({ site }) => site.requestsCertificate)?.url;
    const where =
      asked === undefined
        ? 'TLS is off on this service'
        : `Use ${asked}, which requests certificates`;
    throw rejected(`This client must authenticate with a certificate, but sent none. ${where}.`);
  }
  const { certificate, fault } = verdict;
  const name = nameOf(certificate.subject);
  if (fault !== undefined) throw rejected(`The certificate ${name} is rejected: ${fault}.`);
  if (isCertificateOf(certificate, wanted)) return;
  throw rejected(
    `The certificate ${name} does not match this client, which registered ${wanted.by} ${wanted.name}.`,
  );
}

/** Returns the thumbprint to bind a token to (RFC 8705 section 3.1), if a certificate was sent. */
export function certificateThumbprint(request: Request): string | undefined {
  const raw = tlsSocketOf(request)?.getPeerCertificate().raw;
  return raw === undefined ? undefined : hash('sha256', raw, 'base64url');
}

function rejected(message: string): OAuthError {
  return new OAuthError('invalid_client', message);
}

type Named = Pick<X509Certificate, 'subject' | 'subjectAltName' | 'checkIP'>;

export function isCertificateOf(certificate: Named, { by, name }: CertificateName): boolean {
  switch (by) {
    case 'tls_client_auth_subject_dn':
      return isSameSubject(certificate.subject, name);
    case 'tls_client_auth_san_ip':
      return certificate.checkIP(name) !== undefined;
    case 'tls_client_auth_san_dns':
      return hasAltName(certificate, `DNS:${name}`, true);
    case 'tls_client_auth_san_uri':
      return hasAltName(certificate, `URI:${name}`, false);
    case 'tls_client_auth_san_email':
      return hasAltName(certificate, `email:${name}`, false);
  }
}

/** Node quotes a name that could be mistaken for several. */
function hasAltName({ subjectAltName = '' }: Named, name: string, anyCase: boolean): boolean {
  const tidy = (text: string) => (anyCase ? text.toLowerCase() : text);
  return subjectAltName.split(', ').some((each) => tidy(each) === tidy(name));
}

/** `lines` is in Node's order, from the root down; RFC 4514 uses the reverse order. */
function isSameSubject(lines: string, text: string): boolean {
  const own = lines.split('\n').reverse();
  // Commas that separate parts have no backslash before them.
  const wanted = text.match(/(?:\\.|[^\\,])+/gs) ?? [];
  const isSame = (line: string, index: number) =>
    normalize(line) === normalize(wanted[index] ?? '');
  return own.length === wanted.length && own.every(isSame);
}

/** Letter case and the number of spaces are ignored (RFC 4518). */
function normalize(part: string): string {
  const mark = part.indexOf('=');
  const value = part
    .slice(mark + 1)
    .replace(/\\(?:([\da-f]{2})|(.))/gis, (_all, hex?: string, character = '') =>
      hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  const tidy = (each: string) => each.trim().replace(/\s+/g, ' ').toLowerCase();
  return JSON.stringify([tidy(part.slice(0, Math.max(mark, 0))), tidy(value)]);
}
