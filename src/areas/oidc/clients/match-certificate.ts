/** Whether a certificate is that of a client: RFC 8705 section 2.1.2. What it is worth is looked at elsewhere. */

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
  const asked = partsOf(text);
  return (
    own.length === asked.length && own.every((line, place) => isSame(line, asked[place] ?? ''))
  );
}

function isSame(own: string, asked: string): boolean {
  const [type = '', value = ''] = split(own);
  const [askedType = '', askedValue = ''] = split(asked);
  return type === askedType && value === askedValue;
}

/** The commas that part a name have no backslash before them. */
function partsOf(text: string): readonly string[] {
  return text.match(/(?:\\.|[^\\,])+/gs) ?? [];
}

/** The case and the number of spaces make no difference (RFC 4518). */
function split(part: string): readonly [type: string, value: string] {
  const mark = part.indexOf('=');
  const value = part
    .slice(mark + 1)
    .replace(/\\(?:([\da-f]{2})|(.))/gis, (_all, hex?: string, character = '') =>
      hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  const tidy = (each: string) => each.trim().replace(/\s+/g, ' ').toLowerCase();
  return [tidy(part.slice(0, Math.max(mark, 0))), tidy(value)];
}
