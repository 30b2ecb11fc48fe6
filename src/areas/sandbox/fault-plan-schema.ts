/** What a fault plan looks like; check-plan.ts has what a schema cannot say. */

import { Type } from 'typebox';
import { base64Pattern } from '../../base/text/text-patterns.js';
import {
  type GivenPlan,
  headFaults,
  maxDelayMs,
  maxFaultsPerRule,
  maxRules,
  maxSeed,
} from '../../faults/plan/fault-plan.js';
import { givenHeadersSchema, headerEncodingSchema } from '../../http/headers/settable-headers.js';

const yes = (description: string) => ({ const: true, description });
const integer = (minimum: number, maximum: number, description: string) => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});
const text = (maxLength: number, description: string) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});
const closed = (properties: object) => ({ properties, additionalProperties: false });

const milliseconds = { type: 'number', minimum: 0, maximum: maxDelayMs };

/** Where a fault cuts or how fast it goes: beyond a mebibyte a client sees no difference. */
const maxBodyBytes = 1024 * 1024;

/** At most a day, also before now. */
const seconds = { type: 'integer', minimum: -86_400, maximum: 86_400 };

/** As one type rather than a union, so that a fault inside is named where it is. */
const plainFaultProperties = {
  delayMs: {
    ...milliseconds,
    type: ['number', 'object'],
    description:
      'Waits so many milliseconds before the response: as many, any from `min` to `max`, or log-normally by `median` and `p99`. Combines with any other fault.',
    examples: [{ min: 100, max: 900 }],
    ...closed({ min: milliseconds, max: milliseconds, median: milliseconds, p99: milliseconds }),
  },
  status: integer(400, 599, 'Responds with this status in place of the work.'),
  headers: { ...givenHeadersSchema, description: 'Headers of that response, from the allow list.' },
  headerEncoding: { ...headerEncodingSchema, default: undefined },
  body: {
    description:
      'The body of that response: a text is sent as it is, anything else as JSON; 64 KiB at most. The common error shape without it.',
  },
  bodyBase64: {
    type: 'string',
    pattern: base64Pattern,
    description: 'The body as bytes in base64; sent as given, also with Content-Encoding.',
  },
  retryAfter: {
    ...seconds,
    type: ['integer', 'object'],
    description:
      'Retry-After of that response: seconds, or `{seconds, as: "date"}` for a date by the real clock. A client must ignore negative seconds.',
    examples: [{ seconds: 5, as: 'date' }],
    properties: { seconds, as: { type: 'string', enum: ['seconds', 'date'] } },
    required: ['seconds'],
    additionalProperties: false,
  },
  shape: {
    const: 'protocol',
    description: 'The body is an error of the protocol that is spoken there: GraphQL, SOAP, OAuth.',
  },
  after: {
    type: 'boolean',
    description: 'With status, hang, empty and reset: does the work, and then loses its response.',
  },
  slow: integer(1, maxBodyBytes, 'The right response, at so many bytes a second.'),
  hang: yes('Nothing gets a response; the connection is closed after 60 seconds.'),
  empty: yes('The connection is closed without a response.'),
  reset: yes('The connection is reset without a response.'),
  truncate: integer(
    0,
    maxBodyBytes,
    'Announces the whole body and closes the connection after so many bytes of it.',
  ),
  cutChunk: integer(
    0,
    maxBodyBytes,
    'A chunked body that lacks its end: so many bytes of it, and the connection is closed.',
  ),
  badChunk: yes('A chunked body with a malformed chunk size.'),
  contentType: text(200, 'The right body under this type.'),
  invalidJson: yes('The right status, and only the first half of the body.'),
  corruptEncoding: {
    type: 'string',
    enum: ['gzip'],
    description: 'A body that says it is gzip, and is damaged.',
  },
  closeAfter: yes(
    'The right response, after which the connection is closed although it was to stay. On HTTP/2, with GOAWAY.',
  ),
  refuse: yes(
    'Rejects the request before the work: REFUSED_STREAM on HTTP/2. On HTTP/1.1, closes the connection without a response.',
  ),
  goaway: yes(
    'The right response, then GOAWAY: later streams of the connection are ignored. On HTTP/1.1, Connection: close.',
  ),
  head: {
    type: 'string',
    enum: headFaults,
    description:
      'The right body with a malformed head: line ends of LF, HTTP/1.0, no length, more bytes than Content-Length, or two different lengths. The connection is closed. On HTTP/2, the stream is reset; `extra-bytes` exceeds its Content-Length.',
  },
  duplicate: yes('Delivers the first event of an event stream twice.'),
};

const plainFaultSchema = { type: 'object', title: 'Fault', ...closed(plainFaultProperties) };

const faultSchema = {
  type: 'object',
  title: 'PlannedFault',
  description: 'One kind of fault, with a delay or alone; empty to pass.',
  ...closed({
    ...plainFaultProperties,
    probability: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'How likely `fault` is; the request passes otherwise.',
    },
    fault: plainFaultSchema,
  }),
};

const ruleProperties = {
  name: text(
    64,
    'Letters, digits, dots, underscores and hyphens; `rule-1`, `rule-2` and so on without one.',
  ),
  match: {
    type: 'object',
    description: 'Which requests it is for; all without it.',
    ...closed({
      method: text(20, 'A method.'),
      path: text(
        500,
        'As routes are written: `:name` for a segment, `*` at the end for the rest. Compared without the query.',
      ),
      header: {
        type: 'object',
        maxProperties: 10,
        additionalProperties: { type: 'string', maxLength: 1000 },
        description: 'Headers by name, and the value that each must have.',
      },
    }),
  },
  sequence: {
    type: 'array',
    minItems: 1,
    maxItems: maxFaultsPerRule,
    items: faultSchema,
    description: 'What happens to the first request that it is for, to the second, and so on.',
  },
  then: {
    type: 'string',
    enum: ['pass', 'repeat', 'last'],
    default: 'pass',
    description:
      'After the sequence: nothing any more, the whole sequence again, or its last fault for ever.',
  },
};

const seedSchema = integer(
  0,
  maxSeed,
  'Draws the same probabilities and delays again. A random one without it.',
);

export const givenPlanSchema = Type.Unsafe<GivenPlan>({
  type: 'object',
  title: 'FaultPlan',
  properties: {
    rules: {
      type: 'array',
      maxItems: maxRules,
      description: 'The first that a request meets acts.',
      items: {
        type: 'object',
        title: 'FaultRule',
        properties: ruleProperties,
        required: ['sequence'],
        additionalProperties: false,
      },
    },
    seed: seedSchema,
  },
  required: ['rules'],
  additionalProperties: false,
});

export const planViewSchema = {
  type: 'object',
  title: 'FaultPlanInForce',
  properties: {
    seed: { ...seedSchema, description: 'What is drawn by; absent without a plan.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'What a client must ignore of the responses; absent without any.',
    },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        title: 'FaultRuleInForce',
        properties: {
          ...ruleProperties,
          sequence: { type: 'array', items: faultSchema },
          acted: {
            type: 'integer',
            description: 'How often it did something; passing does not count.',
          },
        },
        required: ['name', 'match', 'sequence', 'then', 'acted'],
      },
    },
  },
  required: ['rules'],
};
