/** What can be downloaded, by file name. */

import { clientKinds } from '../../wire/tls/client-certificates.js';
import { authorities, type Trust } from '../../wire/tls/trust.js';

/** Makes a file when it is asked for. */
export interface TrustFile {
  readonly contentType: string;
  readonly make: () => Promise<Buffer | string>;
}

type Files = ReadonlyMap<string, TrustFile>;

const pem = 'application/x-pem-file';
const p12 = 'application/x-pkcs12';

export function ownFiles(trust: Trust): Files {
  return new Map<string, TrustFile>([
    ['ca.pem', { contentType: pem, make: () => trust.rootPem() }],
    ['ca.p12', { contentType: p12, make: () => trust.rootP12() }],
    ...authorities.map(
      (name) =>
        [
          `${name}.crl`,
          { contentType: 'application/pkix-crl', make: () => trust.crl(name) },
        ] as const,
    ),
  ]);
}

export function clientFiles(trust: Trust): Files {
  const files = new Map<string, TrustFile>();
  for (const kind of clientKinds) {
    files.set(`${kind}.pem`, { contentType: pem, make: () => trust.clientPem(kind) });
    files.set(`${kind}.p12`, { contentType: p12, make: () => trust.clientP12(kind) });
  }
  return files;
}
