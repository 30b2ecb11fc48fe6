/** Challenges about failures. Their faults are planned in the sandbox. */

import type { Fault, GivenPlan } from '../../../faults/plan/fault-plan.js';
import type { Exchange } from '../../../kit/recording/exchange-record.js';
import type { Memo } from '../challenge.js';
import { header, received, sent, status, when } from '../checks.js';
import { inTrack, step, texts } from '../track.js';

const resilience = inTrack('resilience');

const book = '/api/Books/:id';

const plan = (path: string, ...sequence: readonly Fault[]): { readonly faults: GivenPlan } => ({
  faults: { rules: [{ name: 'challenge', match: { path }, sequence }] },
});

const keepEnd = ({ endMs, atMs }: Exchange, memo: Memo): Memo => ({
  ...memo,
  gap: String(atMs - Number(memo.end ?? atMs)),
  end: String(endMs),
});

const waited = (leastMs: number) => (exchange: Exchange, memo: Memo) =>
  exchange.atMs - Number(memo.end ?? 0) >= leastMs;

const fails = (code: number) =>
  status(code, `The fault is planned: start the challenge again to get ${code}.`);

export const resilienceTrack = [
  resilience(
    'resilience-retry',
    1,
    texts(
      'Once more',
      'Read /api/Books/1 although the first attempt fails with 503.',
      '503 is temporary. | Send the same request again. | curl --retry 1',
      'GET is idempotent, so it can be repeated after a temporary failure.',
      'RFC 9110 section 9.2.2',
    ),
    [
      step('Read /api/Books/1, and get 503.', `GET ${book}`, [fails(503)]),
      step('Read it again.', `GET ${book}`, [status(200)]),
    ],
    plan('/api/Books/:id', { status: 503 }),
  ),
  resilience(
    'resilience-persist',
    2,
    texts(
      'Three failures',
      'Read /api/Books/1 although three attempts fail, with growing delays.',
      'Wait after each failure. | Each delay must be at least 1.2 times the one before. | For example 100, 200 and 400 ms.',
      'Backoff leaves a service in trouble time to recover.',
      'RFC 9110 section 15.6.4',
    ),
    [
      step('Get the first failure.', `GET ${book}`, [fails(500)], { keep: keepEnd }),
      step(
        'Retry after a delay.',
        `GET ${book}`,
        [when(waited(20), 'You retried at once. Wait between attempts.')],
        { keep: keepEnd },
      ),
      step(
        'Retry after a longer delay.',
        `GET ${book}`,
        [
          when(
            (exchange, memo) => waited(1.2 * Number(memo.gap))(exchange, memo),
            'The second delay is not longer than the first.',
          ),
        ],
        { keep: keepEnd },
      ),
      step('Succeed after a longer delay.', `GET ${book}`, [
        when(
          (exchange, memo) => waited(1.2 * Number(memo.gap))(exchange, memo),
          'The third delay is not longer than the second.',
        ),
        status(200),
      ]),
    ].map((each) => ({ ...each, isStrict: true as const })),
    plan('/api/Books/:id', { status: 500 }, { status: 500 }, { status: 500 }),
  ),
  resilience(
    'resilience-retry-after',
    2,
    texts(
      'As long as the server says',
      'Read /api/Books/2 after 429, no earlier than Retry-After says.',
      'The response has Retry-After. | Its value is in seconds. | Wait one second, then retry.',
      'A client that ignores Retry-After makes the overload worse.',
      'RFC 9110 section 10.2.3',
    ),
    [
      step('Read /api/Books/2, and get 429.', `GET ${book}`, [fails(429)], { keep: keepEnd }),
      {
        ...step('Read it again after Retry-After.', `GET ${book}`, [
          when(waited(995), 'You retried before the time in Retry-After was over.'),
          status(200),
        ]),
        isStrict: true as const,
      },
    ],
    plan('/api/Books/:id', { status: 429, retryAfter: 1 }),
  ),
  resilience(
    'resilience-safe-post',
    3,
    texts(
      'Lost response',
      'Create a book although the response is lost, without creating it twice.',
      'The service may have created the book. | Send Idempotency-Key with the first attempt. | Repeat with the same key.',
      'A key makes POST repeatable: the server recognizes the repetition.',
      'draft-ietf-httpapi-idempotency-key-header section 2',
    ),
    [
      step(
        'Create a book with Idempotency-Key; the response fails.',
        'POST /api/Books',
        [
          header(
            'idempotency-key',
            /./,
            'The first attempt has no Idempotency-Key, so it cannot be repeated safely.',
          ),
        ],
        { keep: (exchange, memo) => ({ ...memo, key: sent(exchange, 'idempotency-key') }) },
      ),
      step('Repeat with the same key.', 'POST /api/Books', [
        when(
          (exchange, { key }) => sent(exchange, 'idempotency-key') === key,
          'The second attempt has another key.',
        ),
        status(201),
        when(
          (exchange) => received(exchange, 'idempotency-replayed') === 'true',
          'The book was created twice.',
        ),
      ]),
    ],
    plan('/api/Books', { status: 502, after: true }),
  ),
  resilience(
    'resilience-no-retry',
    2,
    texts(
      'Do not repeat that',
      'Get 400 from POST /api/Books, and do not repeat the request; read /api/Books instead.',
      'A 400 is not temporary. | Repeating an invalid request changes nothing. | After 400, send GET /api/Books.',
      'Client errors need another request, not the same one again.',
      'RFC 9110 section 15.5',
    ),
    [
      step('Send an invalid book, and get 400.', 'POST /api/Books', [
        status(400, 'This book is valid.'),
      ]),
      {
        ...step('Read /api/Books, without repeating the request.', 'GET|POST /api/Books', [
          when(
            ({ method }) => method === 'GET',
            'You repeated a request that was rejected with 400.',
          ),
        ]),
        isStrict: true as const,
      },
    ],
  ),
  resilience(
    'resilience-fallback',
    2,
    texts(
      'Plan B',
      'Get 503 twice for /api/Books/1, give up, and read /api/Books/2 instead.',
      'This failure does not end. | Stop after two attempts. | Then read another book.',
      'A limit on attempts keeps a failing dependency from blocking everything.',
      'RFC 9110 section 15.6.4',
    ),
    [
      step('Get the first 503.', `GET ${book}`, [fails(503)]),
      step('Get the second 503.', `GET ${book}`, [
        when(({ path }) => path.endsWith('/1'), 'You gave up after one attempt.'),
        fails(503),
      ]),
      {
        ...step('Read /api/Books/2 instead.', `GET ${book}`, [
          when(
            ({ path }) => path.endsWith('/2'),
            'You tried a third time. Give up after two attempts.',
          ),
          status(200),
        ]),
        isStrict: true as const,
      },
    ],
    {
      faults: {
        rules: [
          {
            name: 'challenge',
            match: { path: '/api/Books/1' },
            sequence: [{ status: 503 }],
            then: 'last',
          },
        ],
      },
    },
  ),
  resilience(
    'resilience-rate-limit',
    2,
    texts(
      'Within the limit',
      'Use /api/RateLimit until Remaining is 0, then read the status instead of running into 429.',
      'X-RateLimit-Remaining counts down. | At 0, the next request would be 429. | GET /api/RateLimit/status does not count.',
      'A client that reads the headers never gets 429.',
      'draft-ietf-httpapi-ratelimit-headers section 4',
    ),
    [
      {
        ...step(
          'Use up the limit.',
          'GET /api/RateLimit',
          [status(200, 'You got 429. Stop when X-RateLimit-Remaining is 0.')],
          {
            keep: (exchange, memo) => ({
              ...memo,
              left: received(exchange, 'x-ratelimit-remaining'),
            }),
            isDone: ({ left }) => left === '0',
          },
        ),
        isStrict: true as const,
      },
      {
        ...step('Read /api/RateLimit/status.', 'GET /api/RateLimit|/api/RateLimit/status', [
          when(
            ({ route }) => route.endsWith('/status'),
            'You sent one request too many, and got 429.',
          ),
          status(200),
        ]),
        isStrict: true as const,
      },
    ],
  ),
  resilience(
    'resilience-broken-json',
    2,
    texts(
      'Broken JSON',
      'Read /api/Books/3 although the first response has invalid JSON.',
      'The status is 200, but the body cannot be parsed. | Treat it as a failed attempt. | Read it again.',
      'A response that cannot be parsed is a failure, whatever its status.',
      'RFC 8259 section 9',
    ),
    [
      step('Read /api/Books/3.', `GET ${book}`, [
        when(({ fault }) => fault !== null, 'The fault is planned: start the challenge again.'),
      ]),
      step('Read it again.', `GET ${book}`, [
        when(({ path }) => path.endsWith('/3'), 'You read another book.'),
        when(({ fault }) => fault === null, 'This response was broken, too.'),
      ]),
    ],
    plan('/api/Books/3', { invalidJson: true }),
  ),
];
