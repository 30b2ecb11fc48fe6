/** The schema of fault plans; check-plan.ts checks what a schema cannot express. */

import { Type } from 'typebox';
import { base64Pattern } from '#base/text/text-patterns.js';
import {
  type GivenPlan,
  headFaults,
  maxDelayMs,
  maxFaultsPerRule,
  maxRules,
  maxSeed,
} from '#faults/plan/fault-plan.js';
import {
  givenHeadersSchema,
  headerEncodingSchema,
  whichHeaders,
} from '#http/headers/settable-headers.js';

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

/** Limit of positions and rates in bytes: beyond a mebibyte, a client sees no difference. */
const maxBodyBytes = 1024 * 1024;

/** Longer than the time for which the service keeps a connection. */
const maxIdleSeconds = 120;
const maxHintSeconds = 86_400;

/** At most a day, in either direction. */
const seconds = { type: 'integer', minimum: -86_400, maximum: 86_400 };

/** One type instead of a union, so that an error inside names its exact place. */
const plainFaultProperties = {
  delayMs: {
    ...milliseconds,
    type: ['number', 'object'],
    description:
      'Delays the response by milliseconds: a fixed number, random from `min` to `max`, or log-normal with `median` and `p99`. Combines with any other fault.',
    examples: [{ min: 100, max: 900 }],
    ...closed({ min: milliseconds, max: milliseconds, median: milliseconds, p99: milliseconds }),
  },
  status: integer(400, 599, 'Responds with this status instead of doing the work.'),
  headers: {
    ...givenHeadersSchema,
    description: `Headers of that response; without a status, they are added to the correct response, and replace headers of the same name. ${whichHeaders} Content-Encoding needs a body.`,
  },
  headerEncoding: { ...headerEncodingSchema, default: undefined },
  body: {
    description:
      'The body of that response, at most 64 KiB: strings are sent unchanged, other values as JSON. Default: the common error shape.',
  },
  bodyBase64: {
    type: 'string',
    pattern: base64Pattern,
    description: 'The body as bytes in base64; sent unchanged, also with Content-Encoding.',
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
    description:
      "The body is an error in the format of the endpoint's protocol: GraphQL, SOAP, OAuth.",
  },
  after: {
    type: 'boolean',
    description: 'With status, hang, empty and reset: does the work, then loses its response.',
  },
  slow: integer(1, maxBodyBytes, 'Sends the correct response at this number of bytes a second.'),
  hang: yes('Sends no response, and closes the connection after 60 seconds.'),
  empty: yes('Closes the connection without a response.'),
  reset: yes('Resets the connection without a response.'),
  truncate: integer(
    0,
    maxBodyBytes,
    'Announces the complete body, and closes the connection after this number of bytes.',
  ),
  cutChunk: integer(
    0,
    maxBodyBytes,
    'Sends this number of bytes of a chunked body, and closes the connection before its end.',
  ),
  badChunk: yes('A chunked body with a malformed chunk size.'),
  contentType: text(200, 'The correct body with this content type.'),
  invalidJson: yes('The correct status with only the first half of the body.'),
  corruptEncoding: {
    type: 'string',
    enum: ['gzip'],
    description: 'A damaged body with Content-Encoding: gzip.',
  },
  closeAfter: yes(
    'Sends the correct response, then closes the connection although it was announced as persistent. On HTTP/2, with GOAWAY.',
  ),
  refuse: yes(
    'Rejects the request before the work: REFUSED_STREAM on HTTP/2. On HTTP/1.1, closes the connection without a response.',
  ),
  goaway: {
    enum: [true, 'before', 'graceful'],
    description:
      '`true` sends the correct response, then GOAWAY: later streams of the connection are ignored. `before` sends only GOAWAY, which says that this stream and later ones were not processed. `graceful` announces the end with the highest stream id, sends the response, and half a second later the true last stream. On HTTP/1.1, Connection: close; with `before`, no response.',
  },
  head: {
    type: 'string',
    enum: headFaults,
    description:
      'The correct body with a malformed head: line ends of LF, HTTP/1.0, no length, more bytes than Content-Length, or two different lengths. Closes the connection. On HTTP/2, resets the stream; `extra-bytes` exceeds its Content-Length.',
  },
  idle: {
    type: 'number',
    minimum: 0,
    maximum: maxIdleSeconds,
    description:
      'Sends the correct response, and closes the connection if no request follows within these seconds. On HTTP/2, with GOAWAY.',
  },
  hint: integer(
    1,
    maxHintSeconds,
    'With idle: the seconds in Keep-Alive, true or not. Without it, there is no such header.',
  ),
  shortBody: yes(
    'Announces the complete body, and ends after half of it: on HTTP/2 as if it were whole, with END_STREAM.',
  ),
  duplicate: yes('Delivers the first event of an event stream twice.'),
};

const plainFaultSchema = { type: 'object', title: 'Fault', ...closed(plainFaultProperties) };

const faultSchema = {
  type: 'object',
  title: 'PlannedFault',
  description: 'One kind of fault, a delay, or both; an empty object lets the request pass.',
  ...closed({
    ...plainFaultProperties,
    probability: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Probability of `fault`; otherwise the request passes.',
    },
    fault: plainFaultSchema,
  }),
};

const ruleProperties = {
  name: text(
    64,
    'Letters, digits, dots, underscores and hyphens. Default: `rule-1`, `rule-2` and so on.',
  ),
  match: {
    type: 'object',
    description: 'The requests that it matches. Default: all.',
    ...closed({
      method: text(200, 'A method, or the path of a method of gRPC.'),
      path: text(
        500,
        'Written like a route: `:name` for a segment, `*` at the end for the rest. Compared without the query.',
      ),
      header: {
        type: 'object',
        maxProperties: 10,
        additionalProperties: { type: 'string', maxLength: 1000 },
        description: 'Headers by name, with the value that each must have.',
      },
    }),
  },
  sequence: {
    type: 'array',
    minItems: 1,
    maxItems: maxFaultsPerRule,
    items: faultSchema,
    description: 'The fault for the first matching request, for the second, and so on.',
  },
  then: {
    type: 'string',
    enum: ['pass', 'repeat', 'last'],
    default: 'pass',
    description:
      'After the sequence: no more faults, the whole sequence again, or its last fault forever.',
  },
};

const seedSchema = integer(
  0,
  maxSeed,
  'Repeats the same random choices of probabilities and delays. Default: random.',
);

export const givenPlanSchema = Type.Unsafe<GivenPlan>({
  type: 'object',
  title: 'FaultPlan',
  properties: {
    rules: {
      type: 'array',
      maxItems: maxRules,
      description: 'The first rule that matches a request applies.',
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
    seed: { ...seedSchema, description: 'Seed of random choices; absent without a plan.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'Parts of the responses that clients must ignore; absent if there are none.',
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
            description: 'How often it applied a fault; requests that passed do not count.',
          },
        },
        required: ['name', 'match', 'sequence', 'then', 'acted'],
      },
    },
  },
  required: ['rules'],
};
