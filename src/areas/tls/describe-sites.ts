/** The list of servers with TLS, as it is returned. */

import { type Static, Type } from 'typebox';
import type { CertificateAuthority } from '../../kit/certificates/certificate-authority.js';
import { clientKinds } from '../../kit/certificates/client-certificates.js';
import { p12Password } from '../../kit/certificates/make-p12.js';

const text = Type.String();

export const siteSchema = Type.Object(
  {
    name: text,
    url: text,
    what: text,
    rightClient: Type.Unsafe<'connects' | 'refuses'>({
      type: 'string',
      enum: ['connects', 'refuses'],
      description: 'What a client does that checks all that it should.',
    }),
    clientCertificates: Type.Optional(
      Type.Array(Type.String(), { description: 'Addresses of certificates to send.' }),
    ),
    p12Password: Type.Optional(Type.String({ description: 'Of all .p12 files.' })),
  },
  { title: 'TlsServer' },
);

export function describeSites(certificates: CertificateAuthority): Static<typeof siteSchema>[] {
  return certificates.addresses.map(({ site, url }) => ({
    name: site.name,
    url,
    what: site.what,
    rightClient: site.rightClient,
    ...(site.requestsCertificate && {
      clientCertificates: clientKinds.flatMap((kind) =>
        ['pem', 'p12'].map((format) => `/tls/client/${kind}.${format}`),
      ),
      p12Password,
    }),
  }));
}
