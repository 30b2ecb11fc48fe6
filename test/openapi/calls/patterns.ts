/** Calls of the write patterns: batches, changes, the trash and jobs. */

import { maxJobs } from '../../../src/areas/data/jobs/jobs.js';
import type { CallTable } from '../caller.js';

const headers = { 'X-Sandbox': 'patterns' };

/** Tokens differ each time. */
const varying = { headers, isNoExample: true } as const;

const book = {
  title: 'A Wizard of Earthsea',
  author: 'Ursula K. Le Guin',
  isbn: '9780547773742',
  publishedYear: 1968,
  pages: 183,
};

export const callPatterns: CallTable = async (caller) => {
  const start = await caller.call('getBooksChanges', 'The current token', varying);
  const operations = [
    { method: 'POST', body: book },
    { method: 'PATCH', id: 1, body: { price: 9.5 } },
    { method: 'DELETE', id: 99 },
  ];
  await caller.call('postBooksBatch', 'Separate operations', { headers, json: { operations } });
  const whole = { operations: operations.slice(0, 2), atomic: true };
  await caller.call('postBooksBatch', 'All or none', { headers, json: whole });
  const failing = { operations, atomic: true };
  await caller.call('postBooksBatch', 'A failing operation', { headers, json: failing });
  await caller.call('postBooksBatch', 'No operations', { headers, json: {} });
  const query = { since: start.json.token };
  await caller.call('getBooksChanges', 'The changes', { ...varying, query });
  await caller.call('getBooksChanges', 'No token', { headers, query: { since: 'now' } });
  const latest = await caller.send('getBooksChanges', { headers });
  await caller.send('deleteSandbox', { headers });
  const lost = { since: latest.json.token };
  await caller.call('getBooksChanges', 'Too old a token', { ...varying, query: lost });

  const path = { id: 5 };
  await caller.send('deleteTodosById', { headers, path });
  await caller.call('postTodosByIdRestore', 'A changed state', {
    headers: { ...headers, 'If-Match': '"another"' },
    path,
  });
  await caller.call('postTodosByIdRestore', 'A record in the trash', { headers, path });
  await caller.call('postTodosByIdRestore', 'A record outside the trash', { headers, path });
  const made = await caller.call('postJobs', 'A result in 20 seconds', {
    headers,
    json: { seconds: 20, result: { total: 3 } },
  });
  await caller.call('postJobs', 'Too long', { headers, json: { seconds: 4_000 } });
  const job = { headers, path: { id: made.json.id } };
  await caller.call('getJobsById', 'A pending job', job);
  await caller.call('getJobsByIdResult', 'Not yet due', job);
  const other = await caller.send('postJobs', { headers, json: {} });
  const cancelled = { headers, path: { id: other.json.id } };
  await caller.call('deleteJobsById', 'A pending job', cancelled);
  await caller.call('deleteJobsById', 'A finished job', cancelled);
  await caller.send('putSandboxClock', { headers, json: { offsetSeconds: 20 } });
  await caller.call('getJobsById', 'A finished job', job);
  await caller.call('getJobsByIdResult', 'The result', job);
  const full = { headers: { 'X-Sandbox': 'full-of-jobs' }, json: {} };
  await Promise.all(Array.from({ length: maxJobs }, () => caller.send('postJobs', full)));
  await caller.call('postJobs', 'Too many', full);
};
