/** Downloads of certificates, keys and revocation lists. */

import { Type } from 'typebox';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { authorities, type CertificateAuthority } from '#kit/certificates/certificate-authority.js';
import { clientKinds } from '#kit/certificates/client-certificates.js';
import { type Endpoint, type EndpointSpec, endpoint } from '#kit/endpoint.js';

const pem = 'application/x-pem-file';
const p12 = 'application/x-pkcs12';
const crl = 'application/pkix-crl';

interface File {
  readonly name: string;
  readonly type: string;
  readonly make: () => Promise<Buffer | string>;
}

const ownFiles = (certificates: CertificateAuthority): File[] => [
  { name: 'ca.pem', type: pem, make: () => certificates.rootPem() },
  { name: 'ca.p12', type: p12, make: () => certificates.rootP12() },
  ...authorities.map((of) => ({ name: `${of}.crl`, type: crl, make: () => certificates.crl(of) })),
];

const clientFiles = (certificates: CertificateAuthority): File[] =>
  clientKinds.flatMap((kind) => [
    { name: `${kind}.pem`, type: pem, make: () => certificates.clientPem(kind) },
    { name: `${kind}.p12`, type: p12, make: () => certificates.clientP12(kind) },
  ]);

export const downloads = (certificates: CertificateAuthority | undefined): Endpoint[] => [
  download('/tls/:file', [pem, p12, crl], certificates && ownFiles(certificates), {
    summary: 'Get the root certificate to trust, or a revocation list',
    description: 'ca.pem, ca.p12 (password changeit), root.crl, intermediate.crl.',
  }),
  download('/tls/client/:file', [pem, p12], certificates && clientFiles(certificates), {
    summary: 'Get a client certificate with its key',
    description: `${clientKinds.join(', ')}, each as .pem and .p12 (password changeit). The server accepts only good.`,
  }),
];

function download(
  path: string,
  types: readonly string[],
  files: readonly File[] | undefined,
  described: Pick<EndpointSpec, 'summary' | 'description'>,
): Endpoint {
  const content = types.map((type) => [type, { schema: Type.String() }]);
  return endpoint('GET', path, {
    ...described,
    params: { file: Type.String() },
    responses: {
      200: { description: 'The file.', content: Object.fromEntries(content) },
      404: errorSchema,
    },
    responseHeaders: {
      200: {
        'Content-Disposition': Type.String({
          description: "Content-Disposition with the file's name.",
        }),
      },
    },
    async handle({ params }, reply) {
      if (files === undefined) {
        throw new HttpError(404, 'TLS is off on this service. Start it with --tls-port 8443.');
      }
      const file = files.find(({ name }) => name === params.file);
      if (file === undefined) {
        const names = files.map(({ name }) => name).join(', ');
        throw new HttpError(404, `Unknown file. Available are ${names}.`);
      }
      const bytes = await file.make();
      reply.header('content-disposition', `attachment; filename="${file.name}"`);
      return reply.type(file.type).send(bytes);
    },
  });
}
