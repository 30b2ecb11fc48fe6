/** Calls of streams. */

import type { CallTable } from '../caller.js';

export const callHttpStreaming: CallTable = async (caller) => {
  await caller.call('getHttpStreamByN', 'Three lines', { path: { n: 3 } });
  await caller.call('getHttpStreamByN', 'No lines', { path: { n: 0 } });
  await caller.call('getHttpDrip', 'Ten bytes', { query: { bytes: 10, duration: 0 } });
  await caller.call('getHttpChunks', 'Three chunks', {
    query: { sizes: '1,2,3' },
  });
  await caller.call('getHttpTrailers', 'Announced', { headers: { TE: 'trailers' } });
  await caller.call('getHttpInformational', 'Early Hints', { query: { status: 103 } });
};
