/** The schema of the log of attempts, and of the report on the client's retries. */

import { verdictSchema } from '#kit/verdict/verdict.js';

const nullable = (type: string, description: string) => ({ type: [type, 'null'], description });

const attemptSchema = {
  type: 'object',
  title: 'Attempt',
  properties: {
    id: { type: 'integer', description: 'The value for `after`; increases with each attempt.' },
    time: { type: 'string', description: 'Time of arrival, ISO 8601 in UTC, by the real clock.' },
    method: { type: 'string' },
    path: { type: 'string', description: 'Without the query.' },
    attempt: { type: 'integer', description: 'Its number in the series, from 1.' },
    gapMs: nullable('number', 'Time since the previous attempt of its series; null for the first.'),
    rule: { type: 'string', description: 'The name of the rule that matched.' },
    fault: {
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        'The fault that was applied, after any random choice; null if the request passed.',
    },
    connectionReused: {
      type: 'boolean',
      description: 'Whether its connection had carried requests before.',
    },
    idempotencyKey: nullable('string', 'Its header Idempotency-Key.'),
    requestId: { type: 'string' },
  },
};

const retryVerdictSchema = {
  type: 'object',
  title: 'RetryVerdict',
  properties: {
    retried: { type: 'boolean', description: 'Whether there was more than one attempt.' },
    succeeded: {
      type: 'boolean',
      description:
        'Whether the last attempt succeeded; also a DELETE whose record is gone after a lost response.',
    },
    honouredRetryAfter: {
      type: ['object', 'null'],
      description:
        'The wait that fell furthest below Retry-After; null if no response had the header.',
      properties: {
        honoured: { type: 'boolean' },
        askedMs: { type: 'number' },
        waitedMs: { type: 'number' },
      },
    },
    backedOff: nullable(
      'boolean',
      'Whether a later wait was at least 1.2 times the first, without waits that Retry-After prescribes; false only for three equal ones, null if it cannot be told.',
    ),
    jittered: nullable(
      'boolean',
      'Whether waits of several series differ by at least 5 % and 50 ms; false only for three equal ones, null if it cannot be told.',
    ),
    gaveUpAfter: nullable(
      'integer',
      'Number of attempts before the client gave up; null if the last succeeded.',
    ),
    repeatedUnsafely: {
      type: 'boolean',
      description:
        'Whether a POST or PATCH that may have been done was certainly repeated without the idempotency key of the first attempt.',
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
          idempotencyKey: nullable('string', 'The key of all attempts; null if they differ.'),
          verdict: retryVerdictSchema,
        },
      },
    },
    verdicts: {
      type: 'array',
      items: verdictSchema,
      description: 'The rules of retries, over all series; absent without attempts.',
    },
  },
};
