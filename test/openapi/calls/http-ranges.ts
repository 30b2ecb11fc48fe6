/** Calls of byte ranges. */

import type { CallTable } from '../caller.js';

/** The first six bytes of this seed are letters, so that examples can show them. */
const letters = { path: { n: 6 }, query: { seed: '2283' } };

export const callHttpRanges: CallTable = async (caller) => {
  const whole = await caller.call('getHttpBytesByN', 'All bytes', letters);
  const tag = whole.headers.etag ?? '';
  const ask = (name: string, headers: Readonly<Record<string, string>>) =>
    caller.call('getHttpBytesByN', name, { ...letters, headers });
  await ask('With a digest', { 'Want-Repr-Digest': 'sha-256=10, sha-512=3' });
  await ask('One range', { Range: 'bytes=2-3' });
  await ask('The last two', { Range: 'bytes=-2', 'If-Range': tag });
  await ask('Several ranges', { Range: 'bytes=0-1,4-5' });
  await ask('A range beyond the end', { Range: 'bytes=6-' });
  await ask('Not modified', { 'If-None-Match': tag });
  await ask('Another version', { 'If-Match': '"another"' });
  await caller.call('getHttpBytesByN', 'With a name', {
    ...letters,
    query: { ...letters.query, filename: 'naïve plan.bin' },
  });
  await caller.call('getHttpBytesByN', 'Too many bytes', { path: { n: 104_857_601 } });
};
