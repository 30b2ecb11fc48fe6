/** Whether a certificate is that of a client: RFC 8705 section 2.1.2. It has been verified elsewhere. */

import type { X509Certificate } from 'node:crypto';
import type { CertificateName } from './client.js';

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

/** Node puts a name in quotes that could be mistaken for several. */
function hasAltName({ subjectAltName = '' }: Named, name: string, anyCase: boolean): boolean {
  const tidy = (text: string) => (anyCase ? text.toLowerCase() : text);
  return subjectAltName.split(', ').some((each) => tidy(each) === tidy(name));
}

/** `lines` is as Node has it, from the root of the tree downwards; RFC 4514 writes it the other way round. */
function isSameSubject(lines: string, text: string): boolean {
  const own = lines.split('\n').reverse();
  // The commas that part a name have no backslash before them.
  const wanted = text.match(/(?:\\.|[^\\,])+/gs) ?? [];
  const isSame = (line: string, place: number) =>
    normalize(line) === normalize(wanted[place] ?? '');
  return own.length === wanted.length && own.every(isSame);
}

/** The case and the number of spaces make no difference (RFC 4518). */
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
