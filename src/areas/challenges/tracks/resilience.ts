/** Challenges about failures. Their faults are planned in the sandbox. */

import type { Fault, GivenPlan } from '#faults/plan/fault-plan.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import type { Memo } from '../challenge.js';
import {
  header,
  isLater,
  isThere,
  keep,
  markOf,
  part,
  received,
  record,
  sent,
  status,
  targetOf,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { resilienceCases } from './cases/resilience.js';

const resilience = inTrack('resilience', resilienceCases);

const book = 'GET|HEAD /api/Books/:id';
const other = 'This is another book.';

/** A record of a practice API, whose route has no parameters. */
const todo = 'GET|HEAD /jsonplaceholder/*';
const isTodo = when(
  ({ path }) => path === '/jsonplaceholder/todos/1',
  'This is not /jsonplaceholder/todos/1.',
);

type Rule = NonNullable<GivenPlan['rules']>[number];

const plan = (path: string, sequence: readonly Fault[], more: Partial<Rule> = {}) => ({
  faults: { rules: [{ name: 'challenge', match: { path }, sequence, ...more }] },
});

const keepEnd = keep({ endMs: ({ endMs }) => String(endMs) });

const fails = (code: number) =>
  status(code, `This is not the planned ${code}; a new start of the challenge plans it again.`);

const waitOf = ({ atMs }: Exchange, { endMs }: Memo) => atMs - Number(endMs);

/** Waits by this much or less are the same. */
const toleranceMs = 10;

const leastWaitMs = 50;

/** Returns all waits up to this attempt. */
const waitsOf = (exchange: Exchange, memo: Memo): readonly number[] => [
  ...(memo.waits ?? '')
    .split(' ')
    .filter((each) => each !== '')
    .map(Number),
  waitOf(exchange, memo),
];

const retrying = [
  resilience(
    'resilience-retry',
    1,
    texts(
      'Once more',
      'Read /api/Books/1 although the first attempt fails with 503.',
      'Which requests may a client simply send again? | RFC 9110 section 9.2.2: idempotent ones, such as GET; 503 is temporary. | curl --retry 1 with /api/Books/1',
      'GET is idempotent, so it can be repeated after a temporary failure.',
      cite('RFC 9110', '9.2.2'),
    ),
    [
      step(book, [record('1', other), fails(503)], { keep: keepEnd }),
      step(book, [record('1', other), isLater, status(200)]),
    ],
    plan('/api/Books/1', [{ status: 503 }]),
  ),
  resilience(
    'resilience-tutorial',
    1,
    texts(
      'The tutorial fails, too',
      'Read /jsonplaceholder/todos/1 of the practice API, although the first attempt fails with 502 and the second with 503.',
      'What do tutorials leave out? | RFC 9110 section 9.2.2: GET is idempotent, so a client may send it again after a failure. | GET /jsonplaceholder/todos/1 three times, each after the response to the one before',
      'Code from a tutorial expects success. A loop with a limit on attempts makes it ready for real networks.',
      cite('RFC 9110', '9.2.2'),
    ),
    [
      step(todo, [isTodo, fails(502)], { keep: keepEnd }),
      step(todo, [isTodo, isLater, fails(503)], { keep: keepEnd }),
      step(todo, [isTodo, isLater, status(200)]),
    ],
    plan('/jsonplaceholder/todos/1', [{ status: 502 }, { status: 503 }]),
  ),
  resilience(
    'resilience-persist',
    2,
    texts(
      'Three failures',
      `Read /api/Books/1 although three attempts fail with 500: wait between attempts, ${leastWaitMs} ms or more at least once, and do not make each wait shorter than the one before.`,
      'What does a service in trouble need? | RFC 9110 section 15.6.1: 500 says only that something failed; time helps, so clients wait longer and longer, with chance or without. | GET /api/Books/1 four times, with 100, 200 and 400 ms in between',
      'Backoff leaves a service in trouble time to recover. Chance in the waits keeps many clients apart.',
      cite('RFC 9110', '15.6.1'),
    ),
    [
      step(book, [record('1', other), fails(500)], { keep: keepEnd }),
      step(
        book,
        [
          record('1', other),
          isLater,
          when(
            (exchange, memo) =>
              exchange.status === (waitsOf(exchange, memo).length < 3 ? 500 : 200),
            'This is not the planned response; a new start of the challenge plans it again.',
          ),
        ],
        {
          keep: keep({
            waits: (exchange, memo) => waitsOf(exchange, memo).join(' '),
            endMs: ({ endMs }) => String(endMs),
          }),
          isDone: ({ waits = '' }) => waits.split(' ').length === 3,
          limits: [
            when(
              (exchange, memo) =>
                waitsOf(exchange, memo).length < 3 ||
                Math.max(...waitsOf(exchange, memo)) >= leastWaitMs,
              'You waited less than 50 ms each time.',
            ),
            when((exchange, memo) => {
              const [first = 0, second = 0, third] = waitsOf(exchange, memo);
              if (third === undefined) return true;
              return second >= first - toleranceMs || third >= second - toleranceMs;
            }, 'Each of your waits was shorter than the one before.'),
          ],
        },
      ),
    ],
    plan('/api/Books/1', [{ status: 500 }, { status: 500 }, { status: 500 }]),
  ),
  resilience(
    'resilience-retry-after',
    2,
    texts(
      'As long as the server says',
      'Read /api/Books/2 after 429, no earlier than Retry-After says.',
      'Who knows best when a limit is over? | RFC 9110 section 10.2.3: the server, which says it in Retry-After, in seconds or as a date. | GET /api/Books/2, wait one second, GET it again',
      'A client that ignores Retry-After makes the overload worse.',
      cite('RFC 9110', '10.2.3'),
    ),
    [
      step(book, [record('2', other), fails(429)], {
        keep: keep({
          endMs: ({ endMs }) => String(endMs),
          least: (exchange) => String(Number(received(exchange, 'retry-after')) * 1000),
        }),
      }),
      step(book, [record('2', other), status(200)], {
        limits: [
          when(
            (exchange, memo) =>
              part(exchange, 'id') !== '2' ||
              waitOf(exchange, memo) >= Number(memo.least) - toleranceMs,
            'You retried before the time in Retry-After was over.',
          ),
        ],
      }),
    ],
    plan('/api/Books/2', [{ status: 429, retryAfter: 1 }]),
  ),
  resilience(
    'resilience-safe-post',
    3,
    texts(
      'Lost response',
      'Create a book although the response to the first attempt fails with 502, and repeat the attempt so that the book is not created twice.',
      'Has the service done the work whose response was lost? | draft-ietf-httpapi-idempotency-key-header section 2: with an Idempotency-Key from the first attempt on, it does not matter. | POST /api/Books with Idempotency-Key, and again with the same key and body',
      'A key makes POST repeatable: the server recognizes the repetition.',
      cite('draft-ietf-httpapi-idempotency-key-header', '2'),
    ),
    [
      step(
        'POST /api/Books',
        [
          header(
            'idempotency-key',
            isThere,
            'This attempt has no key, so it cannot be repeated safely.',
          ),
          when(
            ({ fault }) => fault !== null,
            'This attempt did not fail; a new start of the challenge plans the failure again.',
          ),
        ],
        {
          keep: keep({
            key: (exchange) => markOf(sent(exchange, 'idempotency-key')),
            endMs: ({ endMs }) => String(endMs),
          }),
        },
      ),
      step('POST /api/Books', [
        isLater,
        when(
          (exchange, { key }) => markOf(sent(exchange, 'idempotency-key')) === key,
          'This attempt has another key, or none.',
        ),
        status(201),
        when(
          (exchange) => received(exchange, 'idempotency-replayed') === 'true',
          'The book was created by this attempt, and not by the first.',
        ),
      ]),
    ],
    plan('/api/Books', [{ status: 502, after: true }]),
  ),
  resilience(
    'resilience-broken-json',
    2,
    texts(
      'Broken JSON',
      'Read /api/Books/3 although the first response has invalid JSON.',
      'Is a response with 200 always a success? | RFC 8259 section 9: a parser accepts JSON, and nothing else; what it rejects is a failed attempt. | GET /api/Books/3 twice',
      'A response that cannot be parsed is a failure, whatever its status.',
      cite('RFC 8259', '9'),
    ),
    [
      step(
        'GET /api/Books/:id',
        [
          record('3', other),
          when(
            ({ fault }) => fault !== null,
            'This response is whole; a new start of the challenge plans the failure again.',
          ),
        ],
        { keep: keepEnd },
      ),
      step('GET /api/Books/:id', [
        record('3', other),
        isLater,
        when(({ fault }) => fault === null, 'This response was broken, too.'),
        status(200),
      ]),
    ],
    plan('/api/Books/3', [{ invalidJson: true }]),
  ),
];

/** Returns the name under which the memo has a rejected request: target and body. */
const rejectedName = (exchange: Exchange) =>
  `rejected ${markOf(targetOf(exchange))} ${exchange.bodyHash}`;

const noteRejected = {
  on: 'POST /api/Books',
  keep: (exchange: Exchange, memo: Memo): Memo =>
    exchange.status === 400 ? { ...memo, [rejectedName(exchange)]: 'yes' } : memo,
};

const givingUp = [
  resilience(
    'resilience-no-retry',
    2,
    texts(
      'Do not repeat that',
      'Get 400 from POST /api/Books, and read /api/Books without ever sending the rejected request again.',
      'Can the same request succeed the second time? | RFC 9110 section 15.5: 4xx says that the client is wrong, so the same request is as wrong again. | POST an invalid book to /api/Books, then GET /api/Books',
      'Client errors need another request, not the same one again.',
      cite('RFC 9110', '15.5'),
    ),
    [
      step('POST /api/Books', [status(400, 'This book is valid.')]),
      step(
        'GET|HEAD|POST /api/Books',
        [
          when(
            (exchange) => exchange.method !== 'POST',
            'This is another request than the rejected one, but it does not read the list.',
          ),
          status(200),
        ],
        {
          limits: [
            when(
              (exchange, memo) =>
                exchange.method !== 'POST' || memo[rejectedName(exchange)] === undefined,
              'You repeated the request that was rejected with 400.',
            ),
          ],
        },
      ),
    ],
    { notes: [noteRejected] },
  ),
  resilience(
    'resilience-fallback',
    2,
    texts(
      'Plan B',
      'Get 503 for /api/Books/1 by two attempts, one after the other, give up, and read /api/Books/2 instead.',
      'What if a failure does not end? | RFC 9110 section 15.6.4: 503 promises nothing; a limit on attempts keeps one failing service from blocking all. | GET /api/Books/1 twice, then GET /api/Books/2',
      'A limit on attempts keeps a failing dependency from blocking everything.',
      cite('RFC 9110', '15.6.4'),
    ),
    [
      step(book, [record('1', 'This is another book, and does not fail.'), fails(503)], {
        keep: keepEnd,
      }),
      step(book, [record('1', 'You gave up after one attempt.'), isLater, fails(503)]),
      step(
        book,
        [record('2', 'This is neither the book that fails nor the book 2.'), status(200)],
        {
          limits: [
            when(
              (exchange) => part(exchange, 'id') !== '1',
              'You tried a third time to read the book that fails.',
            ),
          ],
        },
      ),
    ],
    plan('/api/Books/1', [{ status: 503 }], { then: 'last' }),
  ),
  resilience(
    'resilience-rate-limit',
    2,
    texts(
      'Within the limit',
      'Use /api/RateLimit until its remaining number is 0, then read /api/RateLimit/status, without running into 429.',
      'How does a client know that the next request is one too many? | draft-ietf-httpapi-ratelimit-headers section 4: the response says how many remain, here in X-RateLimit-Remaining. | GET /api/RateLimit until X-RateLimit-Remaining is 0, then GET /api/RateLimit/status, which does not count',
      'A client that reads the headers never gets 429.',
      cite('draft-ietf-httpapi-ratelimit-headers', '4'),
    ),
    [
      step('GET|HEAD /api/RateLimit', [status(200)], {
        keep: keep({ left: (exchange) => received(exchange, 'x-ratelimit-remaining') }),
        isDone: ({ left }) => left === '0',
        limits: [when(({ status: code }) => code !== 429, 'You ran into 429.')],
      }),
      step(
        'GET|HEAD /api/RateLimit|/api/RateLimit/status',
        [
          when(({ route }) => route.endsWith('/status'), 'You used the limit, and not the status.'),
          status(200),
        ],
        { limits: [when(({ status: code }) => code !== 429, 'You ran into 429.')] },
      ),
    ],
  ),
];

export const resilienceTrack = [...retrying, ...givingUp];
