/** What the sandbox's routes take and answer. */

import { Type } from 'typebox';
import { errorSchema } from '../../server/error-schema.js';

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
    expiresAt: nullableTime('When it goes if nobody uses it; null while pristine or shared.'),
    clock: clockSchema,
    limits: Type.Object({
      sandboxes: Type.Integer({ description: 'One more drops the one unused for longest.' }),
      idleSeconds: Type.Integer({ description: 'Unused for this long, a sandbox goes.' }),
      createdRecordsPerCollection: Type.Integer({ description: 'One more is refused with 409.' }),
    }),
  },
  { title: 'Sandbox' },
);

const setClockSchema = Type.Object(
  {
    offsetSeconds: Type.Number({
      minimum: -maxOffsetSeconds,
      maximum: maxOffsetSeconds,
      description: 'How far the time in this sandbox is to be ahead of the real time; 0 ends it.',
    }),
  },
  { additionalProperties: false },
);

export const describeSandbox = {
  summary: 'Describes the sandbox',
  description: 'The one that X-Sandbox names, or the shared one. Asking does not make it.',
  response: { 200: sandboxSchema, 400: errorSchema },
};

export const resetSandbox = {
  summary: 'Resets the sandbox to the pristine data and the real time',
  description: 'Everything that was written to it is gone.',
  response: { 204: Type.Null(), 400: errorSchema },
};

export const readClock = {
  summary: 'The time in the sandbox',
  description: 'What tokens, windows and nonces go by.',
  response: { 200: clockSchema, 400: errorSchema },
};

export const setClock = {
  summary: 'Moves the time in the sandbox, so that things expire without waiting',
  description: 'Only in a sandbox with a name; the shared one keeps the real time.',
  body: setClockSchema,
  response: { 200: clockSchema, 400: errorSchema, 413: errorSchema, 415: errorSchema },
};
