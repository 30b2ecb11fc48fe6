/** What the cases of several suites are made of. */

import assert from 'node:assert/strict';
import { callJson } from '../harness/call.js';

export const ours = 'practice-api';

/**
 * The same request to each of some contenders.
 *
 * @param {import('./run-suite.js').LoadRequest} request
 * @param {readonly string[]} contenders
 */
export const sameTo = (request, ...contenders) =>
  Object.fromEntries(contenders.map((contender) => [contender, request]));

/**
 * A request with a body of JSON.
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
 * A check that responses have the status 200, and of their bodies.
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
 * The same for JSON, which is checked, or equal to a value.
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
