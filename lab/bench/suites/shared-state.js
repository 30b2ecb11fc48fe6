/** Each area with its state in Redis, compared with memory. */

import assert from 'node:assert/strict';
import { isOk, newBin, sameCase, sendJson } from '../cases.js';
import { ourProgram, ourProgramOverRedis } from '../programs.js';
import { add } from './soap.js';

const shared = 'practice-api over Redis';
const inMemory = 'practice-api in memory';
const sharedBin = 'a bin of practice-api over Redis';
const binInMemory = 'a bin of practice-api in memory';

const login = { username: 'user', password: 'user-secret' };
const book = { query: '{ book(id: 1) { title author } }' };

/** @type {Record<string, import('../run-suite.js').LoadRequest>} */
const requests = {
  'methods: GET /api/methods/get': { path: '/api/methods/get' },
  'auth: POST /api/auth/jwt/login': sendJson('POST', '/api/auth/jwt/login', login),
  'graphql: one book': sendJson('POST', '/graphql', book),
  'resources: GET /api/Books/1': { path: '/api/Books/1' },
  'resources: PATCH /api/Books/2': sendJson('PATCH', '/api/Books/2', { available: false }),
  'pagination: GET /api/pagination/cursor': { path: '/api/pagination/cursor' },
  'rate-limit: GET /api/RateLimit': { path: '/api/RateLimit?limit=1000&window=1' },
  'rate-limit: GET /api/RateLimit/status': { path: '/api/RateLimit/status' },
  'versioning: GET /api/v2/profile': { path: '/api/v2/profile' },
  'soap: Add': add,
  'sandbox: GET /api/sandbox': { path: '/api/sandbox', headers: { 'x-sandbox': 'bench' } },
};

/** A request to a bin, whose URL is the base URL of this case. */
const capture = sendJson('POST', '', 'x'.repeat(1022));

const isFilled = isOk((body) => assert.notEqual(body, ''));

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [shared]: ourProgramOverRedis(),
    [inMemory]: ourProgram(),
    [sharedBin]: ourProgramOverRedis(newBin),
    [binInMemory]: ourProgram([], newBin),
  },
  cases: [
    ...Object.entries(requests).map(([name, request]) => ({
      ...sameCase(name, request, [shared, inMemory], isFilled),
      // The load exceeds the limit of its window in a second.
      ...(request.path.startsWith('/api/RateLimit?') && {
        isRejected: /** @type {const} */ (true),
      }),
    })),
    sameCase('webhooks: POST a capture of 1 KiB', capture, [sharedBin, binInMemory], isFilled),
  ],
};
