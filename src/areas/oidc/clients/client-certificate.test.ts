import { BlockList, isIP } from 'node:net';
import { expect, test } from 'vitest';
import type { CertificateName } from '../model/client.js';
import { isCertificateOf } from './client-certificate.js';

const certificate = {
  subject: 'C=CH\nO=Practice\\, Inc\nCN=good client',
  subjectAltName:
    'DNS:good.client.example, URI:https://client.example/good, IP Address:192.0.2.1, email:good@client.example, DNS:"a, DNS:b"',
  checkIP: (ip: string) => {
    const own = new BlockList();
    own.addAddress('192.0.2.1');
    return isIP(ip) === 4 && own.check(ip) ? ip : undefined;
  },
};

test.each<[name: string, by: CertificateName['by'], text: string, isOf: boolean]>([
  ['the subject', 'tls_client_auth_subject_dn', 'CN=good client,O=Practice\\, Inc,C=CH', true],
  ['with spaces', 'tls_client_auth_subject_dn', 'cn=Good  Client, o=practice\\2C inc, c=ch', true],
  ['in reverse order', 'tls_client_auth_subject_dn', 'C=CH,O=Practice\\, Inc,CN=x', false],
  ['a part of the subject', 'tls_client_auth_subject_dn', 'CN=good client', false],
  [
    'more than the subject',
    'tls_client_auth_subject_dn',
    'CN=good client,O=Practice\\, Inc,C=CH,L=x',
    false,
  ],
  ['nothing', 'tls_client_auth_subject_dn', '', false],
  ['a DNS name', 'tls_client_auth_san_dns', 'Good.client.example', true],
  ['another', 'tls_client_auth_san_dns', 'client.example', false],
  ['a DNS name inside another', 'tls_client_auth_san_dns', 'b', false],
  ['a DNS name as a URI', 'tls_client_auth_san_uri', 'good.client.example', false],
  ['a URI', 'tls_client_auth_san_uri', 'https://client.example/good', true],
  ['a URI in capitals', 'tls_client_auth_san_uri', 'https://client.example/GOOD', false],
  ['an IP address', 'tls_client_auth_san_ip', '192.0.2.1', true],
  ['another IP address', 'tls_client_auth_san_ip', '192.0.2.2', false],
  ['an e-mail address', 'tls_client_auth_san_email', 'good@client.example', true],
  ['another e-mail address', 'tls_client_auth_san_email', 'bad@client.example', false],
])('%s', (_name, by, text, isOf) => {
  expect(isCertificateOf(certificate, { by, name: text })).toBe(isOf);
});
