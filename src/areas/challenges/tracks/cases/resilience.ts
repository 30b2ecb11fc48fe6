/** Lawful ways and near misses of the track resilience. */

import type { Cases } from '../../challenge.js';

const emma =
  '{"title":"Emma","author":"Jane Austen","isbn":"9780306406157","publishedYear":1815,"pages":474}';
const read = (id: number) => `GET /api/Books/${id}`;
/** Reads the book 1 with these waits in between. */
const after = (...waits: readonly number[]) =>
  [read(1), ...waits.flatMap((wait) => [`wait ${wait}`, read(1)])].join(' && ');
const todo = (id: number) => `GET /jsonplaceholder/todos/${id}`;
const create = (key: string, body = emma) => `POST /api/Books | Idempotency-Key: ${key} | ${body}`;
const use = (times: number) => Array(times).fill('GET /api/RateLimit').join(' && ');

export const resilienceCases: Readonly<Record<string, Cases>> = {
  'resilience-retry': {
    accepts: [
      `${read(1)} && ${read(1)}`,
      'HEAD /api/Books/1 && HEAD /api/Books/1',
      `${read(2)} && ${read(1)} && ${read(2)} && wait 50 && ${read(1)}`,
    ],
    rejects: [
      ['1 of 2 parts', read(1)],
      ['another book', `${read(1)} && ${read(2)}`],
      ['not the planned 503', `${read(1).replace('GET', 'OPTIONS')} && ${read(1)}?error=500`],
    ],
  },
  'resilience-tutorial': {
    accepts: [
      `${todo(1)} && ${todo(1)} && ${todo(1)}`,
      `${todo(1)} && wait 100 && ${todo(1)} && wait 300 && ${todo(1)}?_delay=1`,
      `${todo(2)} && HEAD /jsonplaceholder/todos/1 && ${todo(1)} && ${todo(3)} && ${todo(1)}`,
    ],
    rejects: [
      ['2 of 3 parts', `${todo(1)} && ${todo(1)}`],
      ['not /jsonplaceholder/todos/1', `${todo(1)} && ${todo(1)} && ${todo(2)}`],
      ['not /jsonplaceholder/todos/1', 'GET /jsonplaceholder/todos?id=1'],
      ['not the planned 502', `OPTIONS /jsonplaceholder/todos/1 && ${todo(1)}`],
    ],
  },
  'resilience-persist': {
    accepts: [after(60, 200, 500), after(3, 180, 40), after(100, 100, 100), after(300, 70, 280)],
    rejects: [
      ['less than 50 ms', after(0, 0, 0)],
      ['shorter than the one before', after(300, 200, 100)],
      ['1 of 2 parts', after(60, 200)],
      ['another book', `${after(60)} && wait 200 && ${read(2)}`],
    ],
  },
  'resilience-retry-after': {
    accepts: [
      `${read(2)} && wait 1050 && ${read(2)}`,
      `${read(2)} && wait 1000 && ${read(2)}`,
      `${read(2)} && ${read(1)} && wait 3000 && HEAD /api/Books/2`,
    ],
    rejects: [
      ['before the time', `${read(2)} && ${read(2)}`],
      ['before the time', `${read(2)} && wait 900 && ${read(2)}`],
      ['before the time', `${read(2)} && ${read(2)} && wait 2000 && ${read(2)}`],
      ['another book', `${read(2)} && wait 1050 && ${read(1)}`],
    ],
  },
  'resilience-safe-post': {
    accepts: [
      `${create('k')} && ${create('k')}`,
      `${create('"one"')} && GET /api/Books && wait 100 && ${create('"one"')}`,
      `${create('a')} && ${create('b')} && ${create('a')}`,
    ],
    rejects: [
      ['has no key', `POST /api/Books | ${emma}`],
      ['another key', `${create('k')} && ${create('l')}`],
      ['another key', `${create('k')} && POST /api/Books | ${emma}`],
    ],
  },
  'resilience-no-retry': {
    accepts: [
      'POST /api/Books | {} && GET /api/Books',
      'POST /api/Books | {} && POST /api/Books | {"title":"x"} && GET /api/Books?limit=1',
      `POST /api/Books | {} && POST /api/Books | ${emma} && HEAD /api/Books`,
    ],
    rejects: [
      ['You repeated', 'POST /api/Books | {} && POST /api/Books | {}'],
      ['You repeated', 'POST /api/Books | {} && POST /api/Books | {} && GET /api/Books'],
      ['You repeated', 'GET /api/Books && POST /api/Books | {} && POST /api/Books | {}'],
      ['another request', `POST /api/Books | {} && POST /api/Books | ${emma}`],
    ],
  },
  'resilience-fallback': {
    accepts: [
      `${read(1)} && ${read(1)} && ${read(2)}`,
      `HEAD /api/Books/1 && wait 100 && HEAD /api/Books/1 && ${read(2)}`,
      `${read(2)} && ${read(1)} && ${read(1)} && ${read(3)} && ${read(2)}`,
    ],
    rejects: [
      ['after one attempt', `${read(1)} && ${read(2)}`],
      ['a third time', `${read(1)} && ${read(1)} && ${read(1)}`],
      ['a third time', `${read(1)} && ${read(1)} && ${read(1)} && ${read(1)} && ${read(2)}`],
      ['neither the book', `${read(1)} && ${read(1)} && ${read(3)}`],
    ],
  },
  'resilience-rate-limit': {
    accepts: [
      `${use(5)} && GET /api/RateLimit/status`,
      'GET /api/RateLimit?limit=2 && GET /api/RateLimit?limit=2 && GET /api/RateLimit/status',
      `${use(2)} && GET /api/RateLimit/status && ${use(3)} && HEAD /api/RateLimit/status`,
    ],
    rejects: [
      ['ran into 429', use(6)],
      ['ran into 429', `${use(6)} && GET /api/RateLimit/status`],
      ['0 of 2 parts', `${use(4)} && GET /api/RateLimit/status`],
    ],
  },
  'resilience-broken-json': {
    accepts: [
      `${read(3)} && ${read(3)}`,
      `${read(3)} && ${read(4)} && ${read(3)}`,
      `${read(3)} && wait 100 && ${read(3)}?fields=id`,
    ],
    rejects: [
      ['another book', `${read(3)} && ${read(4)}`],
      ['1 of 2 parts', read(3)],
      ['another book', `${read(4)} && ${read(4)}`],
    ],
  },
};
