/** Calls of the statuses. */

import type { CallTable } from '../caller.js';
import { anyMethods } from './any-methods.js';

export const callHttpStatus: CallTable = async (caller) => {
  for (const method of anyMethods) {
    const operationId = `${method}HttpStatusByCodes`;
    await caller.call(operationId, 'A success', { path: { codes: '200' } });
    await caller.call(operationId, 'A body and a header', {
      path: { codes: '200' },
      query: { body: 'Hello', header: ['X-Greeting:Hello', 'Cache-Control:max-age=5'] },
    });
    await caller.call(operationId, 'No content', { path: { codes: '204' } });
    await caller.call(operationId, 'Too many requests', {
      path: { codes: '429' },
      query: { retryAfter: '30' },
    });
  }
  await caller.call('getHttpStatusByCodes', 'Several, by weight', {
    path: { codes: '200:3,503:1' },
    query: { seed: 7 },
    headers: { 'X-Sandbox': 'mine' },
  });
  await caller.call('getHttpStatusByCodes', 'No status', { path: { codes: '700' } });
};
