/** Calls of the statuses. */

import type { CallTable } from '../caller.js';
import { anyVerbs } from './any-verbs.js';

export const callHttpStatus: CallTable = async (caller) => {
  for (const verb of anyVerbs) {
    const operationId = `${verb}HttpStatusByCodes`;
    await caller.call(operationId, 'A success', { path: { codes: '200' } });
    await caller.call(operationId, 'A body and a header of my own', {
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
