/** Cases that several suites share. */

import assert from 'node:assert/strict';
import { callJson } from '../harness/call.js';

export const ours = 'practice-api';

/**
 * Returns the same request for several contenders.
 *
 * @param {import('./run-suite.js').LoadRequest} request
 * @param {readonly string[]} contenders
 */
export const sameTo = (request, ...contenders) =>
  Object.fromEntries(contenders.map((contender) => [contender, request]));

/**
 * Makes a case with the same request to several contenders.
 *
 * @param {string} name
 * @param {import('./run-suite.js').LoadRequest} request
 * @param {readonly string[]} contenders
 * @param {import('./run-suite.js').BenchCase['check']} check
 */
export const sameCase = (name, request, contenders, check) => ({
  name,
  requests: sameTo(request, ...contenders),
  check,
});

/**
 * Makes a request with a JSON body.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} value
 */
export const sendJson = (method, path, value) => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/**
 * Makes a check for the status 200 and the body.
 *
 * @param {(body: string, contender: string) => void} [check]
 * @returns {import('./run-suite.js').BenchCase['check']}
 */
export function isOk(check) {
  return (status, body, contender) => {
    assert.equal(status, 200);
    check?.(body, contender);
  };
}

/**
 * Makes a check for the status 200 and JSON, with a function or an expected value.
 *
 * @param {((value: any, contender: string) => void) | object} expected
 */
export const isJson = (expected) =>
  isOk((body, contender) => {
    if (typeof expected === 'function') expected(JSON.parse(body), contender);
    else assert.deepEqual(JSON.parse(body), expected);
  });

/**
 * Creates a bin, and returns its URL.
 *
 * @param {string} url
 */
export async function newBin(url) {
  const { url: bin } = await callJson(url, 'POST', '/api/webhooks/bins');
  return String(bin);
}
