/** A caller's own copy of everything that changes: what it is, its reset, and its clock. */

import { Type } from 'typebox';
import type { Area } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { HttpError } from '../../server/http-error.js';
import { maxCreatedRows } from '../../state/collection.js';
import { givenNameOf, ownerOf, type Sandbox, sharedSandboxName } from '../../state/state.js';
import { sandboxCollection } from './collection.js';
import { sandboxExamples } from './examples.js';

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

export const sandboxArea: Area = {
  name: 'sandbox',
  title: 'Sandboxes',
  start: '/api/sandbox',
  summary: 'Your own copy of all data and state, by the header X-Sandbox; its reset and its clock.',
  examples: () => sandboxExamples,
  collections: [sandboxCollection],

  addRoutes(app, { sandboxLimits: limits, sandboxOf }) {
    async function describeClock(sandbox: Sandbox) {
      const status = await sandbox.status();
      const now = new Date(await sandbox.now()).toISOString();
      return { now, offsetSeconds: (status?.clockOffsetMs ?? 0) / 1000 };
    }

    app.get(
      '/api/sandbox',
      {
        schema: {
          summary: 'Describes the sandbox',
          description: 'The one that X-Sandbox names, or the shared one. Asking does not make it.',
          response: { 200: sandboxSchema, 400: errorSchema },
        },
      },
      async (request) => {
        const sandbox = sandboxOf(request);
        const isShared = sandbox.name === sharedSandboxName;
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
            sandboxes:
              ownerOf(sandbox.name) === undefined
                ? limits.maxSandboxes
                : limits.maxSandboxesPerOwner,
            idleSeconds: limits.idleMs / 1000,
            createdRecordsPerCollection: maxCreatedRows,
          },
        };
      },
    );

    app.delete(
      '/api/sandbox',
      {
        schema: {
          summary: 'Resets the sandbox to the pristine data and the real time',
          description: 'Everything that was written to it is gone.',
          response: { 204: Type.Null(), 400: errorSchema },
        },
      },
      async (request, reply) => {
        await sandboxOf(request).reset();
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/api/sandbox/clock',
      {
        schema: {
          summary: 'The time in the sandbox',
          description: 'What tokens, windows and nonces go by.',
          response: { 200: clockSchema, 400: errorSchema },
        },
      },
      async (request) => describeClock(sandboxOf(request)),
    );

    app.put(
      '/api/sandbox/clock',
      {
        schema: {
          summary: 'Moves the time in the sandbox, so that things expire without waiting',
          description: 'Only in a sandbox with a name; the shared one keeps the real time.',
          body: setClockSchema,
          response: { 200: clockSchema, 400: errorSchema, 413: errorSchema, 415: errorSchema },
        },
      },
      async (request) => {
        const sandbox = sandboxOf(request);
        if (sandbox.name === sharedSandboxName) {
          const message = 'The shared sandbox keeps the real time. Name your own with X-Sandbox.';
          throw new HttpError(400, message);
        }
        await sandbox.setClockOffset(Math.round(request.body.offsetSeconds * 1000));
        return describeClock(sandbox);
      },
    );
  },
};

function isoTime(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : new Date(timeMs).toISOString();
}
