/** Calls of the connection endpoint. */

import type { CallTable } from '../caller.js';

export const callHttpConnection: CallTable = async (caller) => {
  await caller.call('getHttpConnection', 'The connection', { isNoExample: true });
  await caller.call('getHttpConnection', 'An unknown error code', { query: { rst: 'now' } });
};
