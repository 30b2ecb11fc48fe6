/** What a sandbox costs a request: the same with the header X-Sandbox and without. */

import assert from 'node:assert/strict';
import { createService } from 'practice-api';

const start = async () => (await createService()).url;
const inSandbox = { 'x-sandbox': 'bench' };

/** @type {(status: number, body: string) => void} */
function checkBook(status, body) {
  assert.equal(status, 200);
  assert.equal(JSON.parse(body).title, 'The Hobbit');
}

const book = { path: '/api/Books/1' };
const write = {
  method: 'PATCH',
  path: '/api/Books/1',
  headers: { 'content-type': 'application/json' },
  body: '{"available":false}',
};

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'sandbox',
  contenders: { 'with X-Sandbox': start, 'without it': start },
  cases: [
    {
      name: 'GET /api/Books/1',
      requests: { 'with X-Sandbox': { ...book, headers: inSandbox }, 'without it': book },
      check: checkBook,
    },
    {
      name: 'PATCH /api/Books/1',
      requests: {
        'with X-Sandbox': { ...write, headers: { ...write.headers, ...inSandbox } },
        'without it': write,
      },
      check: checkBook,
    },
    {
      name: 'GET /api/Books/1, written to before',
      requests: { 'with X-Sandbox': { ...book, headers: inSandbox }, 'without it': book },
      check: checkBook,
    },
  ],
};
