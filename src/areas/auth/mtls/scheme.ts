/** Client certificates: TLS has the client prove that it has the private key (RFC 8446 section 4.3.2). */

import { Type } from 'typebox';
import { quoted, realm, unauthorized } from '#http/credentials/challenge.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import type { CertificateAuthority } from '#kit/certificates/certificate-authority.js';
import { isoTime, nameOf } from '#kit/certificates/client-certificates.js';
import { tlsSocketOf } from '#kit/connection.js';
import { endpoint } from '#kit/endpoint.js';
import type { Scheme } from '../scheme.js';

const text = Type.String();

const authenticateClient = (certificates: CertificateAuthority | undefined) =>
  endpoint('GET', '/api/auth/mtls', {
    summary: 'Authenticate with a client certificate',
    description:
      'Only on https://mtls.localhost, where TLS is on. The certificates are at /tls/client/good.pem and beside it.',
    security: [{ mtls: [] }],
    responses: {
      200: Type.Object({
        authenticated: Type.Literal(true),
        scheme: Type.Literal('mtls'),
        subject: text,
        issuer: text,
        serialNumber: Type.String({ description: 'In hexadecimal digits.' }),
        fingerprint256: Type.String({ description: 'SHA-256 fingerprint of the certificate.' }),
        validTo: text,
      }),
      403: errorSchema,
    },
    async handle(request) {
      const socket = tlsSocketOf(request);
      const verdict = socket && (await certificates?.judgeClient(socket));
      if (verdict === undefined) throw noCertificate(certificates);
      const { certificate, fault } = verdict;
      const subject = nameOf(certificate.subject);
      if (fault !== undefined) {
        throw new HttpError(403, `The certificate ${subject} is rejected: ${fault}.`);
      }
      return {
        authenticated: true,
        scheme: 'mtls',
        subject,
        issuer: nameOf(certificate.issuer),
        serialNumber: certificate.serialNumber,
        fingerprint256: certificate.fingerprint256,
        validTo: isoTime(certificate.validTo),
      };
    },
  });

function noCertificate(certificates: CertificateAuthority | undefined): HttpError {
  const url = certificates?.addresses.find(({ site }) => site.requestsCertificate)?.url;
  const where =
    url === undefined
      ? 'TLS is off on this service; start it with --tls-port 8443'
      : `Send one to ${url}/api/auth/mtls, such as /tls/client/good.pem`;
  // HTTP has no registered scheme for certificates, but a 401 needs a challenge.
  const challenge = `Certificate realm=${quoted(realm)}`;
  return unauthorized(`The client sent no certificate. ${where}.`, challenge);
}

export const mtlsScheme = {
  name: 'mtls',
  title: 'client certificates',
  securitySchemes: {
    mtls: { type: 'mutualTLS', description: 'GET /tls lists the certificates.' },
  },
  collection: {
    leftOut: {
      getAuthMtls: 'It requires TLS, and a certificate, which an .http file cannot contain.',
    },
  },
  endpoints: ({ certificates }) => [authenticateClient(certificates)],
} satisfies Scheme;
