/** Calls of TLS: the list, the files, and client certificates. */

import type { CallTable } from '../caller.js';

export const callTls: CallTable = async (caller) => {
  const isNoExample = true;
  await caller.call('getTls', 'Every server', { isNoExample });
  for (const file of ['ca.pem', 'ca.p12', 'root.crl']) {
    await caller.call('getTlsByFile', file, { path: { file }, isNoExample });
  }
  await caller.call('getTlsClientByFile', 'For Java', { path: { file: 'good.p12' }, isNoExample });
  const certificate = async (kind: string) => {
    const name = `The ${kind} one`;
    const request = { path: { file: `${kind}.pem` }, isNoExample } as const;
    return (await caller.call('getTlsClientByFile', name, request)).bytes.toString();
  };
  const good = { certificate: await certificate('good'), isNoExample } as const;
  await caller.call('getAuthMtls', 'The valid certificate', good);
  const bad = { certificate: await certificate('wrong-usage') };
  await caller.call('getAuthMtls', 'The certificate of a server', bad);
  await caller.call('getAuthMtls', 'No certificate', { isNoExample });
};
