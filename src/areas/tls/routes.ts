/** Servers with TLS, right and wrong, and what a client needs to trust the right ones. */

import { type Static, Type } from 'typebox';
import { addVary } from '../../http/caching/caching.js';
import type { Reply } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { prefersPage } from '../../http/negotiation/read-preferences.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { ifNoneMatch, optional, vary } from '../../http/schemas/header-schemas.js';
import type { App } from '../../kit/app.js';
import type { Area } from '../../kit/area.js';
import type { CertificateAuthority } from '../../kit/certificates/certificate-authority.js';
import { clientKinds } from '../../kit/certificates/client-certificates.js';
import { pageResponseHeaders, sendPage } from '../../site/send-page.js';
import { describeSites, siteSchema } from './describe-sites.js';
import { type CertificateFile, clientFiles, ownFiles } from './files.js';

const listSchema = Type.Array(siteSchema);

const describeIndex = {
  summary: 'List the servers with TLS, and what a client must do',
  description:
    'The names end in .localhost, which is this machine. A client trusts what it should with the root at /tls/ca.pem. A browser is shown a page. Empty where TLS is off.',
  described: { headers: ifNoneMatch },
  response: {
    200: {
      description: 'The servers, or the page that shows them.',
      content: {
        'application/json': {
          schema: Type.Unsafe<Static<typeof listSchema> | Reply>(listSchema),
        },
        'text/html': { schema: Type.Unsafe<Reply>({ type: 'string' }) },
      },
    },
    304: Type.Null({ description: 'The browser has the page already.' }),
  },
  responseHeaders: {
    200: { ...vary, ...optional(pageResponseHeaders[200]) },
    304: { ...vary, ...pageResponseHeaders[304] },
  },
};

const file = Type.Object({ file: Type.String() });
const bytes = { schema: Type.Unsafe<Buffer | string>({ type: 'string' }) };
const describeFiles = (summary: string, description: string, mediaTypes: readonly string[]) => ({
  summary,
  description,
  params: file,
  response: {
    200: {
      description: 'The file.',
      content: Object.fromEntries(mediaTypes.map((type) => [type, bytes])),
    },
    404: errorSchema,
  },
  responseHeaders: {
    200: { 'Content-Disposition': Type.String({ description: 'With the name of the file.' }) },
  },
});

const pem = 'application/x-pem-file';
const p12 = 'application/x-pkcs12';
const describeOwn = describeFiles(
  'Get the root to trust, or a revocation list',
  'ca.pem, ca.p12 (password changeit), root.crl, intermediate.crl.',
  [pem, p12, 'application/pkix-crl'],
);
const describeClient = describeFiles(
  'Get a certificate for a client, with its key',
  `${clientKinds.join(', ')}, each as .pem and .p12 (password changeit). Only good is let in.`,
  [pem, p12],
);

export const tlsArea = {
  name: 'tls',
  title: 'TLS',
  guide: 'tls',
  front: {
    start: '/tls',
    page: {
      path: '/tls',
      way: ['TLS', 'Servers that a client must reject, and the commands to try it with.'],
    },
    examples: () => [
      {
        title: 'List the servers that a client must reject, and the right ones',
        method: 'GET',
        path: '/tls',
        answer: { status: 200, has: '[' },
      },
    ],
  },
  summary: 'Certificates that must be rejected, client certificates, HTTP/2.',
  postman: [
    {
      leftOut: {
        getTlsByFile: 'It is there where TLS is on.',
        getTlsClientByFile: 'It is there where TLS is on.',
      },
    },
  ],
  defaults: {
    // Whoever is to connect must have the root first, and asks for lists of revoked ones without a key.
    isOpen: true,
  },
  addRoutes(app, { certificates }) {
    app.get('/tls', { schema: describeIndex }, async (request, reply) => {
      addVary(reply, 'Accept');
      if (prefersPage(request.headers.accept)) return sendPage(request, reply, 'tls');
      return certificates === undefined ? [] : describeSites(certificates);
    });
    addFiles(app, certificates);
  },
} satisfies Area;

function addFiles(app: App, certificates: CertificateAuthority | undefined): void {
  app.get('/tls/:file', { schema: describeOwn }, async (request, reply) =>
    sendFile(reply, request.params.file, ownFiles(on(certificates))),
  );
  app.get('/tls/client/:file', { schema: describeClient }, async (request, reply) =>
    sendFile(reply, request.params.file, clientFiles(on(certificates))),
  );
}

function on(certificates: CertificateAuthority | undefined): CertificateAuthority {
  if (certificates !== undefined) return certificates;
  throw new HttpError(404, 'TLS is off on this service. Start it with --tls-port 8443.');
}

async function sendFile(
  reply: Reply,
  name: string,
  files: ReadonlyMap<string, CertificateFile>,
): Promise<Reply> {
  const file = files.get(name);
  if (file === undefined) {
    throw new HttpError(
      404,
      `There is no file of this name; there are ${[...files.keys()].join(', ')}.`,
    );
  }
  const content = await file.make();
  reply.header('content-disposition', `attachment; filename="${name}"`);
  return reply.type(file.contentType).send(content);
}
