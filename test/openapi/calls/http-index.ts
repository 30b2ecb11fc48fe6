/** Calls of the HTTP lab's index. */

import type { CallTable } from '../caller.js';

export const callHttpIndex: CallTable = async (caller) => {
  await caller.call('getHttp', 'Every topic');
};
