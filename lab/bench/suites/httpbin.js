/**
 * The paths of httpbin, compared with httpbin and go-httpbin: an echo, bytes of a seed, and
 * streamed lines.
 */

import assert from 'node:assert/strict';
import { isJson, isOk, ours } from '../cases.js';
import { goHttpbin, httpbin, ourProgram } from '../programs.js';

/**
 * The bytes of Python's `random` with the seed 1, as UTF-8, which httpbin and this service both
 * return.
 */
const beginningOfSeed1 = 'D \ufffd<';

const isOfSeed = isOk((body, contender) => {
  // go-httpbin uses another generator.
  if (contender !== 'go-httpbin') assert.ok(body.startsWith(beginningOfSeed1));
});

/**
 * @param {string} name
 * @param {string} path
 * @param {import('../run-suite.js').BenchCase['check']} check
 */
const onEach = (name, path, check) => ({
  name,
  requests: {
    [ours]: { path: `/httpbin${path}` },
    'httpbin (gunicorn)': { path },
    'go-httpbin': { path },
  },
  check,
});

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(),
    'httpbin (gunicorn)': httpbin,
    'go-httpbin': goHttpbin,
  },
  cases: [
    onEach(
      'GET /get',
      '/get?a=1',
      isJson(({ args }, contender) =>
        assert.deepEqual(args, { a: contender === 'go-httpbin' ? ['1'] : '1' }),
      ),
    ),
    onEach('GET /bytes/1024, of a seed', '/bytes/1024?seed=1', isOfSeed),
    onEach('GET /stream-bytes/102400, of a seed', '/stream-bytes/102400?seed=1', isOfSeed),
    onEach(
      'GET /stream/20',
      '/stream/20',
      isOk((body) => {
        const ids = body
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id);
        assert.deepEqual(ids, [...Array(20).keys()]);
      }),
    ),
  ],
};
