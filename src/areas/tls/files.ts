/** What can be downloaded, by file name. */

import {
  authorities,
  type CertificateAuthority,
} from '../../kit/certificates/certificate-authority.js';
import { clientKinds } from '../../kit/certificates/client-certificates.js';

/** Makes a file when it is asked for. */
export interface CertificateFile {
  readonly contentType: string;
  readonly make: () => Promise<Buffer | string>;
}

type Files = ReadonlyMap<string, CertificateFile>;

const pem = 'application/x-pem-file';
const p12 = 'application/x-pkcs12';

export function ownFiles(certificates: CertificateAuthority): Files {
  return new Map<string, CertificateFile>([
    ['ca.pem', { contentType: pem, make: () => certificates.rootPem() }],
    ['ca.p12', { contentType: p12, make: () => certificates.rootP12() }],
    ...authorities.map(
      (name) =>
        [
          `${name}.crl`,
          { contentType: 'application/pkix-crl', make: () => certificates.crl(name) },
        ] as const,
    ),
  ]);
}

export function clientFiles(certificates: CertificateAuthority): Files {
  const files = new Map<string, CertificateFile>();
  for (const kind of clientKinds) {
    files.set(`${kind}.pem`, { contentType: pem, make: () => certificates.clientPem(kind) });
    files.set(`${kind}.p12`, { contentType: p12, make: () => certificates.clientP12(kind) });
  }
  return files;
}
