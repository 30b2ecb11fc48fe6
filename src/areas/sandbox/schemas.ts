/** What the sandbox's routes accept and return. */

import { Type } from 'typebox';
import { maxAttempts } from '../../faults/plan/attempts.js';
import type { Judgement } from '../../faults/plan/judge-attempts.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { givenPlanSchema, planViewSchema } from './plan-schema.js';

/** Ten years: enough to see anything expire, and still a date that every client can read. */
const maxOffsetSeconds = 10 * 366 * 24 * 60 * 60;

const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const clockSchema = Type.Object(
  {
    now: Type.String({ description: 'The time in this sandbox, ISO 8601 in UTC.' }),
    offsetSeconds: Type.Number({ description: 'How far it is ahead of the real time.' }),
  },
  { title: 'Clock' },
);

const sandboxSchema = Type.Object(
  {
    name: Type.String({
      description: 'The name; without one `shared`, or `default` for that of an account.',
    }),
    isShared: Type.Boolean(),
    isPristine: Type.Boolean({ description: 'Whether nothing was written to it yet.' }),
    createdAt: nullableTime('When it was first written to; null while pristine.'),
    lastUsedAt: nullableTime('When it was last used; null while pristine.'),
    expiresAt: nullableTime('When it expires if nobody uses it; null while pristine or shared.'),
    clock: clockSchema,
    limits: Type.Object({
      sandboxes: Type.Integer({ description: 'One more deletes the one unused for longest.' }),
      idleSeconds: Type.Integer({ description: 'Unused for this long, a sandbox expires.' }),
      createdRecordsPerCollection: Type.Integer({ description: 'One more is rejected with 409.' }),
    }),
  },
  { title: 'Sandbox' },
);

const setClockSchema = Type.Object(
  {
    offsetSeconds: Type.Number({
      minimum: -maxOffsetSeconds,
      maximum: maxOffsetSeconds,
      description: 'How far the time in this sandbox is to be ahead of the real time; 0 resets it.',
    }),
  },
  { additionalProperties: false },
);

export const describeSandbox = {
  summary: 'Describe the sandbox',
  description: 'The one that X-Sandbox names, or the shared one. Asking does not make it.',
  response: { 200: sandboxSchema, 400: errorSchema },
};

export const resetSandbox = {
  summary: 'Reset the sandbox to the pristine data and real time',
  description: 'Everything that was written to it is gone.',
  response: { 204: Type.Null(), 400: errorSchema },
};

export const readClock = {
  summary: 'Get the time in the sandbox',
  description: 'What tokens, windows and nonces expire by.',
  response: { 200: clockSchema, 400: errorSchema },
};

export const setClock = {
  summary: 'Move the time in the sandbox',
  description: 'Only in a sandbox with a name; the shared one keeps the real time.',
  body: setClockSchema,
  response: { 200: clockSchema, 400: errorSchema, 413: errorSchema, 415: errorSchema },
};

const sharedRejection = 'In a sandbox with a name alone; in the shared one it is 403.';

export const readFaults = {
  summary: 'Get the fault plan, and how often each rule acted',
  description: `Without a plan, no rules. ${sharedRejection}`,
  response: { 200: planViewSchema, 400: errorSchema, 403: errorSchema },
};

export const planFaults = {
  summary: 'Plan faults for requests of the sandbox',
  description: `The first rule that a request meets acts on it, with the next fault of its sequence. Takes the place of the plan before, and empties the log. ${sharedRejection}`,
  body: givenPlanSchema,
  response: {
    200: planViewSchema,
    400: errorSchema,
    403: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
};

export const endFaults = {
  summary: 'Delete the fault plan of the sandbox',
  description: `The log stays until the next plan, or a reset. ${sharedRejection}`,
  response: { 204: Type.Null(), 400: errorSchema, 403: errorSchema },
};

/** Longer waits would meet the idle timeouts of proxies. */
const maxWaitSeconds = 60;

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

export const readFaultLog = {
  summary: 'Get the attempts, and how well the client retried',
  description: `The newest ${maxAttempts} attempts that rules matched, in order. Attempts at the same method, path and Idempotency-Key are a series, which a success ends. With ?wait= the response is held back until there is another attempt, or the time is over. ${sharedRejection}`,
  querystring: Type.Object({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999_999_999,
        description:
          'Only attempts later than the one of this id, and the series that they are of.',
      }),
    ),
    wait: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: maxWaitSeconds,
        description: 'Holds the response until the next attempt, at most this many seconds.',
      }),
    ),
  }),
  response: {
    200: Type.Unsafe<Judgement>({
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
    }),
    400: errorSchema,
    403: errorSchema,
  },
};
