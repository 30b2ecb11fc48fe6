/** The list of servers with TLS. */

import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import type { CertificateAuthority } from '#kit/certificates/certificate-authority.js';
import { clientKinds } from '#kit/certificates/client-certificates.js';
import { p12Password } from '#kit/certificates/make-p12.js';
import { sites } from '#kit/certificates/sites.js';
import { endpoint } from '#kit/endpoint.js';
import { type Html, html } from '#kit/pages/html.js';
import { pageResponseHeaders, sendFilledPage } from '#kit/pages/send-page.js';

const text = Type.String();

const serverSchema = Type.Object(
  {
    name: text,
    url: text,
    what: text,
    rightClient: Type.String({
      enum: ['connects', 'refuses'],
      description: 'What a correct client does.',
    }),
    clientCertificates: Type.Optional(
      Type.Array(Type.String(), { description: 'URLs of client certificates.' }),
    ),
    p12Password: Type.Optional(Type.String({ description: 'The password of all .p12 files.' })),
  },
  { title: 'TlsServer' },
);

export const listServers = (certificates: CertificateAuthority | undefined) =>
  endpoint('GET', '/tls', {
    summary: 'List the TLS servers, and what a client must do with each',
    description:
      'The host names end in .localhost, which is this machine. To trust the good servers, a client needs the root at /tls/ca.pem. Browsers get a page. Empty if TLS is off.',
    headers: ifNoneMatch,
    responses: {
      200: {
        description: 'The servers, or the page that shows them.',
        content: {
          'application/json': { schema: Type.Array(serverSchema) },
          'text/html': { schema: Type.String() },
        },
      },
      304: Type.Null({ description: "The browser's copy of the page is current." }),
    },
    responseHeaders: {
      200: { ...vary, ...optional(pageResponseHeaders[200]) },
      304: { ...vary, ...pageResponseHeaders[304] },
    },
    async handle(request, reply) {
      addVary(reply, 'Accept');
      if (prefersPage(request.headers.accept)) {
        return sendFilledPage(request, reply, 'tls', () => ({
          '<!-- servers -->': renderServers().text,
        }));
      }
      return certificates === undefined ? [] : describeServers(certificates);
    },
  });

function describeServers({ addresses }: CertificateAuthority) {
  return addresses.map(({ site, url }) => ({
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

/** Without TLS, the page has what the servers are for; its script adds their URLs. */
const renderServers = (): Html =>
  html`${sites.map(
    ({ name, what, rightClient }) =>
      html`<li><b>${name}</b> <span class="${rightClient}">${rightClient}</span><p>${what}</p></li>`,
  )}`;
