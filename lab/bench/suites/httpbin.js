/** httpbin's own paths beside httpbin and go-httpbin: an echo, bytes of a seed, and lines that are streamed. */

import assert from 'node:assert/strict';
import { ourProgram } from '../our-program.js';
import { goHttpbin } from '../peers/go-httpbin.js';
import { httpbin } from '../peers/httpbin.js';

/** What Python's `random` draws from the seed 1, read as UTF-8: httpbin and we must give the same. */
const beginningOfSeed1 = 'D \ufffd<';

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'httpbin',
  contenders: {
    'practice-api': ourProgram(),
    'httpbin (gunicorn)': httpbin,
    'go-httpbin': goHttpbin,
  },
  cases: [
    {
      name: 'GET /get',
      requests: requestsFor('/get?a=1'),
      check(status, body, contender) {
        assert.equal(status, 200);
        const value = contender === 'go-httpbin' ? ['1'] : '1';
        assert.deepEqual(JSON.parse(body).args, { a: value });
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
  return {
    'practice-api': { path: `/httpbin${path}` },
    'httpbin (gunicorn)': { path },
    'go-httpbin': { path },
  };
}

/**
 * @param {number} status
 * @param {string} body
 * @param {string} contender
 */
function checkBytes(status, body, contender) {
  assert.equal(status, 200);
  // It has a generator of its own.
  if (contender !== 'go-httpbin') assert.ok(body.startsWith(beginningOfSeed1));
}
