/** httpbin's own paths beside httpbin: an echo, bytes of a seed, and lines that are streamed. */

import assert from 'node:assert/strict';
import { ourProgram } from '../our-program.js';
import { httpbin } from '../peers/httpbin.js';

/** What Python's `random` draws from the seed 1, read as UTF-8: both must give the same. */
const beginningOfSeed1 = 'D \ufffd<';

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'httpbin',
  contenders: { 'practice-api': ourProgram(), 'httpbin (gunicorn)': httpbin },
  cases: [
    {
      name: 'GET /get',
      requests: requestsFor('/get?a=1'),
      check(status, body) {
        assert.equal(status, 200);
        assert.deepEqual(JSON.parse(body).args, { a: '1' });
      },
    },
    {
      name: 'GET /bytes/1024, of a seed',
      requests: requestsFor('/bytes/1024?seed=1'),
      check: checkBytes,
    },
    {
      name: 'GET /stream-bytes/102400, of a seed',
      requests: requestsFor('/stream-bytes/102400?seed=1'),
      check: checkBytes,
    },
    {
      name: 'GET /stream/20',
      requests: requestsFor('/stream/20'),
      check(status, body) {
        assert.equal(status, 200);
        const ids = body
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id);
        assert.deepEqual(ids, [...Array(20).keys()]);
      },
    },
  ],
};

/** @param {string} path */
function requestsFor(path) {
  return { 'practice-api': { path: `/httpbin${path}` }, 'httpbin (gunicorn)': { path } };
}

/**
 * @param {number} status
 * @param {string} body
 */
function checkBytes(status, body) {
  assert.equal(status, 200);
  assert.ok(body.startsWith(beginningOfSeed1));
}
