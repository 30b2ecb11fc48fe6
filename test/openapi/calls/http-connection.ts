/** Calls of the connection endpoint. */

import type { CallTable } from '../caller.js';

export const callHttpConnection: CallTable = async (caller) => {
  await caller.call('getHttpConnection', 'Mine', { isNoExample: true });
  await caller.call('getHttpConnection', 'A code that there is not', { query: { rst: 'now' } });
};
