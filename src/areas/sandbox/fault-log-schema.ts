/** The log of attempts, and how well the client retried. */

const nullable = (type: string, description: string) => ({ type: [type, 'null'], description });

const attemptSchema = {
  type: 'object',
  title: 'Attempt',
  properties: {
    id: { type: 'integer', description: 'The value for `after`; it grows.' },
    time: { type: 'string', description: 'When it came, ISO 8601 in UTC, by the real clock.' },
    method: { type: 'string' },
    path: { type: 'string', description: 'Without the query.' },
    attempt: { type: 'integer', description: 'Which of its series it is, from 1.' },
    gapMs: nullable('number', 'Since the one before in its series; null for the first.'),
    rule: { type: 'string', description: 'The name of the rule that it met.' },
    fault: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'What was done to it, with what chance decided; null when it passed.',
    },
    connectionReused: {
      type: 'boolean',
      description: 'Whether its connection had carried requests before.',
    },
    idempotencyKey: nullable('string', 'Its header Idempotency-Key.'),
  },
};

const verdictSchema = {
  type: 'object',
  title: 'RetryVerdict',
  properties: {
    retried: { type: 'boolean', description: 'Whether there was more than one attempt.' },
    succeeded: { type: 'boolean', description: 'Whether the last one succeeded.' },
    honouredRetryAfter: {
      type: ['object', 'null'],
      description: 'The wait that fell shortest of Retry-After; null when none was demanded.',
      properties: {
        honoured: { type: 'boolean' },
        askedMs: { type: 'number' },
        waitedMs: { type: 'number' },
      },
    },
    backedOff: nullable(
      'boolean',
      'Whether each gap was at least 1.2 times the one before; null below three attempts.',
    ),
    jittered: nullable(
      'boolean',
      'Whether gaps of several series differ by more than 5 %; null when there is nothing to compare.',
    ),
    gaveUpAfter: nullable('integer', 'After how many attempts; null when the last succeeded.'),
    repeatedUnsafely: {
      type: 'boolean',
      description: 'Whether a POST or PATCH was repeated without an idempotency key.',
    },
    sameBody: nullable('boolean', 'Whether all bodies were the same; null without bodies.'),
  },
};

export const faultLogSchema = {
  type: 'object',
  title: 'FaultLog',
  properties: {
    attempts: { type: 'array', items: attemptSchema },
    series: {
      type: 'array',
      items: {
        type: 'object',
        title: 'AttemptSeries',
        properties: {
          method: { type: 'string' },
          path: { type: 'string' },
          idempotencyKey: nullable('string', 'What its attempts have in common.'),
          verdict: verdictSchema,
        },
      },
    },
  },
};
