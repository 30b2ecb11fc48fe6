/** Calls of the Expect endpoints, without an Expect header: then the report has no times. */

import type { CallTable } from '../caller.js';
import { anyMethods } from './any-methods.js';

export const callHttpExpect: CallTable = async (caller) => {
  for (const method of anyMethods) {
    const operation = `${method}HttpExpectByBehaviour`;
    await caller.call(operation, 'No expectation', {
      path: { behaviour: 'continue' },
      query: { delay: 0 },
    });
    await caller.call(operation, 'A final status', { path: { behaviour: 'final' } });
  }
  const headers = { 'X-Sandbox': 'mine' };
  await caller.call('getHttpExpectLast', 'No result yet', { headers });
  await caller.call('postHttpExpectByBehaviour', 'In a sandbox', {
    path: { behaviour: 'final' },
    headers,
  });
  await caller.call('getHttpExpectLast', 'The last result', { headers });
  await caller.call('getHttpExpectLast', 'In the shared sandbox', {});
};
