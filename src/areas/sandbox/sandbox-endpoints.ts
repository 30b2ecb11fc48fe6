/** The endpoints of a sandbox itself: what it is, its reset, and its clock. */

import { Type } from 'typebox';
import { HttpError } from '../../http/http-error.js';
import { failures } from '../../http/schemas/error-schema.js';
import { nullableText } from '../../kit/describe/nullable.js';
import { endpoint } from '../../kit/endpoint.js';
import { maxCreatedRows } from '../../state/rows/dataset.js';
import {
  givenNameOf,
  ownerOf,
  type Sandbox,
  type SandboxLimits,
  sharedSandboxName,
} from '../../state/state.js';

export const path = '/api/sandbox';

/** Ten years: enough to see anything expire, and still a date that every client can read. */
const maxOffsetSeconds = 10 * 366 * 24 * 60 * 60;

const clockSchema = Type.Object(
  {
    now: Type.String({ description: 'The time in this sandbox, ISO 8601 in UTC.' }),
    offsetSeconds: Type.Number({ description: 'How far it is ahead of the real time.' }),
  },
  { title: 'Clock' },
);

const nullableTime = (description: string) => nullableText({ description });

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

export const describeSandbox = (limits: SandboxLimits) =>
  endpoint('GET', path, {
    summary: 'Describe the sandbox',
    description: 'The one that X-Sandbox names, or the shared one. Asking does not make it.',
    responses: { 200: sandboxSchema, ...failures(400) },
    async handle({ sandbox }) {
      const isShared = sandbox.name === sharedSandboxName;
      const isOwned = ownerOf(sandbox.name) !== undefined;
      const status = await sandbox.status();
      const expiresAtMs = status && !isShared ? status.lastUsedAtMs + limits.idleMs : undefined;
      return {
        name: givenNameOf(sandbox.name) || (isShared ? 'shared' : 'default'),
        isShared,
        isPristine: status === undefined,
        createdAt: isoTime(status?.createdAtMs),
        lastUsedAt: isoTime(status?.lastUsedAtMs),
        expiresAt: isoTime(expiresAtMs),
        clock: await describeClock(sandbox),
        limits: {
          sandboxes: isOwned ? limits.maxSandboxesPerOwner : limits.maxSandboxes,
          idleSeconds: limits.idleMs / 1000,
          createdRecordsPerCollection: maxCreatedRows,
        },
      };
    },
  });

export const resetSandbox = endpoint('DELETE', path, {
  summary: 'Reset the sandbox to the pristine data and real time',
  description: 'Everything that was written to it is gone.',
  responses: { 204: Type.Null(), ...failures(400) },
  async handle({ sandbox }, reply) {
    await sandbox.reset();
    return reply.code(204).send(null);
  },
});

export const readClock = endpoint('GET', `${path}/clock`, {
  summary: 'Get the time in the sandbox',
  description: 'What tokens, windows and nonces expire by.',
  responses: { 200: clockSchema, ...failures(400) },
  handle: ({ sandbox }) => describeClock(sandbox),
});

export const setClock = endpoint('PUT', `${path}/clock`, {
  summary: 'Move the time in the sandbox',
  description: 'Only in a sandbox with a name; the shared one keeps the real time.',
  body: Type.Object(
    {
      offsetSeconds: Type.Number({
        minimum: -maxOffsetSeconds,
        maximum: maxOffsetSeconds,
        description:
          'How far the time in this sandbox is to be ahead of the real time; 0 resets it.',
      }),
    },
    { additionalProperties: false },
  ),
  responses: { 200: clockSchema, ...failures(400, 413, 415) },
  async handle({ sandbox, body }) {
    if (sandbox.name === sharedSandboxName) {
      const message = 'The shared sandbox keeps the real time. Name your own with X-Sandbox.';
      throw new HttpError(400, message);
    }
    await sandbox.setClockOffset(Math.round(body.offsetSeconds * 1000));
    return describeClock(sandbox);
  },
});

async function describeClock(sandbox: Sandbox) {
  const status = await sandbox.status();
  const now = new Date(await sandbox.now()).toISOString();
  return { now, offsetSeconds: (status?.clockOffsetMs ?? 0) / 1000 };
}

function isoTime(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : new Date(timeMs).toISOString();
}
