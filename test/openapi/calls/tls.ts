/** Calls of TLS: the list, the files, and client certificates. */

import type { CallTable } from '../caller.js';

export const callTls: CallTable = async (caller) => {
  const isNoExample = true;
  await caller.call('getTls', 'Every server', { isNoExample });
  const page = await caller.call('getTls', 'The page', {
    headers: { Accept: 'text/html' },
    isNoExample,
  });
  await caller.call('getTls', 'The page, not modified', {
    headers: { Accept: 'text/html', 'If-None-Match': page.headers.etag ?? '' },
    isNoExample,
  });
  for (const file of ['ca.pem', 'ca.p12', 'root.crl']) {
    await caller.call('getTlsByFile', file, { path: { file }, isNoExample });
  }
  await caller.call('getTlsByFile', 'An unknown file', { path: { file: 'ca.key' } });
  await caller.call('getTlsClientByFile', 'For Java', { path: { file: 'good.p12' }, isNoExample });
  const certificate = async (kind: string) => {
    const name = `The ${kind} one`;
    const request = { path: { file: `${kind}.pem` }, isNoExample } as const;
    return (await caller.call('getTlsClientByFile', name, request)).bytes.toString();
  };
  await caller.call('getTlsClientByFile', 'An unknown file', { path: { file: 'best.pem' } });
  const good = { certificate: await certificate('good'), isNoExample } as const;
  await caller.call('getAuthMtls', 'The valid certificate', good);
  const bad = { certificate: await certificate('wrong-usage') };
  await caller.call('getAuthMtls', 'The certificate of a server', bad);
  await caller.call('getAuthMtls', 'No certificate', { isNoExample });
};
