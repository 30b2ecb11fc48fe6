/** The echo of a GET beside a bare node:http server that builds the same JSON by hand. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createService } from 'practice-api';
import { listenOnLoopback } from '../listen-on-loopback.js';

const path = '/api/methods/get';

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'methods',
  contenders: {
    'practice-api': async () => (await createService()).url,
    'node:http by hand': startByHand,
  },
  cases: [
    {
      name: `GET ${path}`,
      requests: { 'practice-api': { path }, 'node:http by hand': { path } },
      check(status, body) {
        assert.equal(status, 200);
        const { timestamp, ...record } = JSON.parse(body);
        assert.ok(timestamp);
        assert.deepEqual(record, {
          method: 'GET',
          message: 'GET request received',
          path,
          query: {},
          contentType: null,
          bodyLength: 0,
          bodyTruncated: false,
          body: null,
        });
      },
    },
  ],
};

/** The floor: no routing, no headers beyond what any JSON answer has. */
function startByHand() {
  const server = createServer((request, response) => {
    const body = JSON.stringify({
      method: request.method,
      message: `${request.method} request received`,
      path: request.url,
      query: {},
      contentType: request.headers['content-type'] ?? null,
      bodyLength: 0,
      bodyTruncated: false,
      body: null,
      timestamp: new Date().toISOString(),
    });
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  return listenOnLoopback(server);
}
