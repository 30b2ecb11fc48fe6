/** Solutions of the track resilience. */

import { headers, type Solutions } from './solution.js';

const book = {
  title: 'Emma',
  author: 'Jane Austen',
  isbn: '9780306406157',
  publishedYear: 1815,
  pages: 474,
};
const read = (id: number) => `GET /api/Books/${id}`;
const keyed = (key: string) => ({ json: book, ...headers({ 'Idempotency-Key': key }) });

export const resilienceSolutions: Solutions = {
  'resilience-retry': {
    solve: async (call) => [await call(read(1)), await call(read(1))],
    misses: [[/Read it again/, (call) => call(read(1))]],
  },
  'resilience-persist': {
    async solve(call) {
      for (const delay of [60, 200, 500]) {
        await call(read(1));
        call.wait(delay);
      }
      await call(read(1));
    },
    misses: [
      [/retried at once/, async (call) => [await call(read(1)), await call(read(1))]],
      [
        /not longer than the first/,
        async (call) => {
          await call(read(1));
          call.wait(300);
          await call(read(1));
          await call(read(1));
        },
      ],
    ],
  },
  'resilience-retry-after': {
    async solve(call) {
      await call(read(2));
      call.wait(1050);
      await call(read(2));
    },
    misses: [[/before the time/, async (call) => [await call(read(2)), await call(read(2))]]],
  },
  'resilience-safe-post': {
    async solve(call) {
      await call('POST /api/Books', keyed('k'));
      await call('POST /api/Books', keyed('k'));
    },
    misses: [
      [/no Idempotency-Key/, (call) => call('POST /api/Books', { json: book })],
      [
        /another key/,
        async (call) => {
          await call('POST /api/Books', keyed('k'));
          await call('POST /api/Books', keyed('l'));
        },
      ],
    ],
  },
  'resilience-no-retry': {
    async solve(call) {
      await call('POST /api/Books', { json: {} });
      await call('GET /api/Books');
    },
    misses: [
      [
        /repeated a request/,
        async (call) => {
          await call('POST /api/Books', { json: {} });
          await call('POST /api/Books', { json: {} });
        },
      ],
    ],
  },
  'resilience-fallback': {
    solve: async (call) => [await call(read(1)), await call(read(1)), await call(read(2))],
    misses: [
      [/after one attempt/, async (call) => [await call(read(1)), await call(read(2))]],
      [
        /third time/,
        async (call) => [await call(read(1)), await call(read(1)), await call(read(1))],
      ],
    ],
  },
  'resilience-rate-limit': {
    async solve(call) {
      for (let count = 0; count < 5; count++) await call('GET /api/RateLimit');
      await call('GET /api/RateLimit/status');
    },
    misses: [
      [
        /too many/,
        async (call) => {
          for (let count = 0; count < 6; count++) await call('GET /api/RateLimit');
        },
      ],
    ],
  },
  'resilience-broken-json': {
    solve: async (call) => [await call(read(3)), await call(read(3))],
    misses: [[/another book/, async (call) => [await call(read(3)), await call(read(4))]]],
  },
};
