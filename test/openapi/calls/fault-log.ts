/** Calls of the log of a fault plan, which has a request to another area. */

import { inSandbox } from '../../../src/kit/example.js';
import type { CallTable } from '../caller.js';

export const callFaultLog: CallTable = async (caller) => {
  const own = inSandbox('my-attempts');
  const json = { rules: [{ sequence: [{ status: 503, retryAfter: 1 }] }] };
  await caller.send('putSandboxFaults', { ...own, json });
  await caller.send('getBooksById', { ...own, path: { id: 1 } });
  await caller.call('getSandboxFaultsLog', 'After a request', own);
};
