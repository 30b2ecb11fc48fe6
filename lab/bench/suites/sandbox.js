/** What a sandbox costs a request: the same with the header X-Sandbox and without, and by hand. */

import assert from 'node:assert/strict';
import { floor, startSandboxFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';

const withSandbox = 'practice-api, with X-Sandbox';
const without = 'practice-api, without it';
const inSandbox = { 'x-sandbox': 'bench' };

/** @type {(status: number, body: string) => void} */
function checkBook(status, body) {
  assert.equal(status, 200);
  assert.equal(JSON.parse(body).title, 'The Hobbit');
}

const read = { path: '/api/Books/1', headers: {} };
const write = {
  method: 'PATCH',
  path: '/api/Books/1',
  headers: { 'content-type': 'application/json' },
  body: '{"available":false}',
};

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'sandbox',
  contenders: {
    [withSandbox]: ourProgram(),
    [floor]: startSandboxFloor,
    [without]: ourProgram(),
  },
  cases: [
    bookCase('GET /api/Books/1', read),
    bookCase('PATCH /api/Books/1', write),
    bookCase('GET /api/Books/1, written to before', read),
  ],
};

/**
 * @param {string} name
 * @param {import('../harness.js').BenchRequest} request
 * @returns {import('../harness.js').BenchCase}
 */
function bookCase(name, request) {
  const named = { ...request, headers: { ...request.headers, ...inSandbox } };
  return {
    name,
    requests: { [withSandbox]: named, [floor]: named, [without]: request },
    check: checkBook,
  };
}
