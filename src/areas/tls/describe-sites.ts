/** The list of servers with TLS, as it is returned. */

import { type Static, Type } from 'typebox';
import { clientKinds } from '../../wire/tls/client-certificates.js';
import { p12Password } from '../../wire/tls/make-p12.js';
import type { Trust } from '../../wire/tls/trust.js';

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

export function describeSites(trust: Trust): Static<typeof siteSchema>[] {
  return trust.addresses.map(({ site, url }) => ({
    name: site.name,
    url,
    what: site.what,
    rightClient: site.rightClient,
    ...(site.asksForCertificate && {
      clientCertificates: clientKinds.flatMap((kind) =>
        ['pem', 'p12'].map((format) => `/tls/client/${kind}.${format}`),
      ),
      p12Password,
    }),
  }));
}
