/**
 * The echo of a GET and of a POST of JSON, compared with the same work by hand, Mockoon and
 * httpbin.
 */

import assert from 'node:assert/strict';
import { isJson, ours, sameTo, sendJson } from '../cases.js';
import { floor, startFloor, startServer } from '../floors.js';
import { mockoon } from '../mockoon.js';
import { httpbin, ourProgram } from '../programs.js';

const bareFloor = 'node:http by hand, without our headers';
const sent = { text: 'a small body of JSON', list: [1, 2, 3] };
const post = sendJson('POST', '/api/methods/post', sent);

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(),
    [floor]: (ourUrl) => startFloor(ourUrl, echo, '/api/methods/get'),
    [bareFloor]: () => startServer(echo, () => ({})),
    'Mockoon CLI': mockoon,
    'httpbin (gunicorn)': httpbin,
  },
  cases: [
    {
      name: 'GET /api/methods/get',
      requests: requestsFor({ path: '/api/methods/get' }, '/get'),
      check: isJson((record, contender) => {
        if (contender.startsWith('httpbin')) assert.deepEqual(record.args, {});
        else checkRecord(record, { method: 'GET', contentType: null, bodyLength: 0, body: null });
      }),
    },
    {
      name: 'POST /api/methods/post, JSON',
      requests: requestsFor(post, '/anything'),
      check: isJson((record, contender) => {
        assert.deepEqual(record.json, sent);
        if (contender.startsWith('httpbin')) return;
        const { 'content-type': contentType } = post.headers;
        const facts = { method: 'POST', contentType, bodyLength: post.body.length };
        checkRecord(record, { ...facts, body: post.body, json: sent });
      }),
    },
  ],
};

/**
 * @param {import('../run-suite.js').LoadRequest} request
 * @param {string} httpbinPath
 */
function requestsFor(request, httpbinPath) {
  const requests = sameTo(request, ours, floor, bareFloor, 'Mockoon CLI');
  return { ...requests, 'httpbin (gunicorn)': { ...request, path: httpbinPath } };
}

/**
 * @param {{timestamp: string}} record
 * @param {{method: string, [field: string]: unknown}} expected
 */
function checkRecord({ timestamp, ...record }, expected) {
  assert.ok(timestamp);
  assert.deepEqual(record, {
    message: `${expected.method} request received`,
    path: `/api/methods/${expected.method.toLowerCase()}`,
    query: {},
    bodyTruncated: false,
    ...expected,
  });
}

/** @type {import('../floors.js').Handle} */
function echo({ method, url = '', headers }, body) {
  const contentType = headers['content-type'] ?? null;
  const record = {
    method,
    message: `${method} request received`,
    path: url,
    query: {},
    contentType,
    bodyLength: Buffer.byteLength(body),
    bodyTruncated: false,
    body: body === '' ? null : body,
    timestamp: new Date().toISOString(),
    ...(contentType === 'application/json' && { json: JSON.parse(body) }),
  };
  return { body: JSON.stringify(record) };
}
