/** Each area with its state in Redis beside the same in memory. */

import assert from 'node:assert/strict';
import { ourProgram } from '../our-program.js';
import { ourProgramOverRedis } from '../peers/our-program-over-redis.js';

const shared = 'practice-api over Redis';
const inMemory = 'practice-api in memory';
const sharedBin = 'a bin of practice-api over Redis';
const binInMemory = 'a bin of practice-api in memory';

const json = { 'content-type': 'application/json' };

/** @type {Record<string, import('../harness.js').BenchRequest>} */
const requests = {
  'methods: GET /api/methods/get': { path: '/api/methods/get' },
  'auth: POST /api/auth/jwt/login': {
    method: 'POST',
    path: '/api/auth/jwt/login',
    headers: json,
    body: '{"username":"user","password":"user-secret"}',
  },
  'graphql: one book': {
    method: 'POST',
    path: '/graphql',
    headers: json,
    body: '{"query":"{ book(id: 1) { title author } }"}',
  },
  'resources: GET /api/Books/1': { path: '/api/Books/1' },
  'resources: PATCH /api/Books/2': {
    method: 'PATCH',
    path: '/api/Books/2',
    headers: json,
    body: '{"available":false}',
  },
  'pagination: GET /api/pagination/cursor': { path: '/api/pagination/cursor' },
  'rate-limit: GET /api/RateLimit': { path: '/api/RateLimit?limit=1000&window=1' },
  'rate-limit: GET /api/RateLimit/status': { path: '/api/RateLimit/status' },
  'versioning: GET /api/v2/profile': { path: '/api/v2/profile' },
  'soap: Add': {
    method: 'POST',
    path: '/api/soap/calculator',
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Add xmlns="http://tempuri.org/"><intA>2</intA><intB>3</intB></Add></s:Body></s:Envelope>',
  },
  'sandbox: GET /api/sandbox': { path: '/api/sandbox', headers: { 'x-sandbox': 'bench' } },
};

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'shared-state',
  contenders: {
    [shared]: ourProgramOverRedis(),
    [inMemory]: ourProgram(),
    [sharedBin]: ourProgramOverRedis(newBin),
    [binInMemory]: ourProgram([], newBin),
  },
  cases: [
    ...Object.entries(requests).map(([name, request]) => ({
      name,
      requests: { [shared]: request, [inMemory]: request },
      // Within its second the window takes fewer than the load sends.
      ...(request.path.startsWith('/api/RateLimit?') && { isRefused: /** @type {const} */ (true) }),
      check: checkSuccess,
    })),
    {
      name: 'webhooks: POST a capture of 1 KiB',
      requests: { [sharedBin]: capture(), [binInMemory]: capture() },
      check: checkSuccess,
    },
  ],
};

/** @returns {import('../harness.js').BenchRequest} */
function capture() {
  return { method: 'POST', path: '', headers: json, body: JSON.stringify('x'.repeat(1022)) };
}

/**
 * @param {number} status
 * @param {string} body
 */
function checkSuccess(status, body) {
  assert.equal(status, 200);
  assert.notEqual(body, '');
}

/**
 * @param {string} url
 * @returns {Promise<string>} the address of the bin
 */
async function newBin(url) {
  const made = await fetch(`${url}/api/webhooks/bins`, { method: 'POST' });
  return /** @type {{url: string}} */ (await made.json()).url;
}
