/** Calls of content codings. */

import { gzipSync } from 'node:zlib';
import { isZstdThere } from '../../../src/http/codings/encode-body.js';
import type { CallTable } from '../caller.js';

/** The available codings depend on the version of Node. */
const ofNode = { isNoExample: true } as const;

export const callHttpCodings: CallTable = async (caller) => {
  await caller.call('getHttpEncoding', 'Plain', {
    headers: { 'Accept-Encoding': 'identity' },
  });
  await caller.call('getHttpEncoding', 'Text of a given size', { query: { size: 64 } });
  await caller.call('getHttpEncoding', 'Every coding rejected', {
    headers: { 'Accept-Encoding': '*;q=0' },
  });
  const identity = { path: { coding: 'identity' } };
  await caller.call('getHttpEncodingByCoding', 'Plain', identity);
  await caller.call('getHttpEncodingByCoding', 'Text of a given size', {
    ...identity,
    query: { size: 64 },
  });
  await caller.call('getHttpEncodingByCoding', 'Plain bytes labelled gzip', {
    ...identity,
    query: { fault: 'wrong-label' },
  });
  if (!isZstdThere) {
    await caller.call('getHttpEncodingByCoding', 'A coding that Node does not support', {
      path: { coding: 'zstd' },
      ...ofNode,
    });
  }
  await caller.call('getHttpEncodingByCoding', 'Gzip', {
    path: { coding: 'gzip' },
    query: { size: 64 },
    ...ofNode,
  });
  await caller.call('postHttpDecode', 'Plain text', { type: 'text/plain', body: 'Hello' });
  await caller.call('postHttpDecode', 'Gzip', {
    type: 'text/plain',
    headers: { 'Content-Encoding': 'gzip' },
    body: gzipSync('Hello'),
    ...ofNode,
  });
  await caller.call('postHttpDecode', 'An unknown coding', {
    type: 'text/plain',
    headers: { 'Content-Encoding': 'compress' },
    body: 'Hello',
    // The supported codings do, too.
    ...ofNode,
  });
};
