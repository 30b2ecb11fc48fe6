/** The echo of a GET and of a POST of JSON beside the same work by hand, Mockoon and httpbin. */

import assert from 'node:assert/strict';
import { floor, startBareMethodsFloor, startMethodsFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';
import { httpbin } from '../peers/httpbin.js';
import { mockoon } from '../peers/mockoon.js';

const bareFloor = 'node:http by hand, without our headers';
const sent = { text: 'a small body of JSON', list: [1, 2, 3] };
const post = {
  method: 'POST',
  path: '/api/methods/post',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(sent),
};

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'methods',
  contenders: {
    'practice-api': ourProgram(),
    [floor]: startMethodsFloor,
    [bareFloor]: startBareMethodsFloor,
    'Mockoon CLI': mockoon,
    'httpbin (gunicorn)': httpbin,
  },
  cases: [
    {
      name: 'GET /api/methods/get',
      requests: requestsFor({ path: '/api/methods/get' }, { path: '/get' }),
      check(status, body, contender) {
        assert.equal(status, 200);
        const record = JSON.parse(body);
        if (contender.startsWith('httpbin')) assert.deepEqual(record.args, {});
        else checkRecord(record, { method: 'GET', contentType: null, bodyLength: 0, body: null });
      },
    },
    {
      name: 'POST /api/methods/post, JSON',
      requests: requestsFor(post, { ...post, path: '/anything' }),
      check(status, body, contender) {
        assert.equal(status, 200);
        const record = JSON.parse(body);
        assert.deepEqual(record.json, sent);
        if (contender.startsWith('httpbin')) return;
        const { 'content-type': contentType } = post.headers;
        const facts = { method: 'POST', contentType, bodyLength: post.body.length };
        checkRecord(record, { ...facts, body: post.body, json: sent });
      },
    },
  ],
};

/**
 * @param {import('../harness.js').BenchRequest} request
 * @param {import('../harness.js').BenchRequest} ofHttpbin
 */
function requestsFor(request, ofHttpbin) {
  return {
    'practice-api': request,
    [floor]: request,
    [bareFloor]: request,
    'Mockoon CLI': request,
    'httpbin (gunicorn)': ofHttpbin,
  };
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
