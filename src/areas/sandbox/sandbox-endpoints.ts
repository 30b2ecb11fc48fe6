/** Endpoints of a sandbox: its description, its reset, and its clock. */

import { Type } from 'typebox';
import { HttpError } from '#http/http-error.js';
import { nullableText } from '#kit/describe/nullable.js';
import { endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { resetByCaller } from '#kit/sandbox/reset-sandbox.js';
import { maxCreatedRows } from '#state/rows/dataset.js';
import {
  givenNameOf,
  idleMsOf,
  ownerOf,
  type Sandbox,
  type SandboxLimits,
  sharedSandboxName,
} from '#state/state.js';
import { path } from './path.js';

/** Ten years: everything expires within it, and every client can parse the date. */
const maxOffsetSeconds = 10 * 366 * 24 * 60 * 60;

const clockSchema = Type.Object(
  {
    now: Type.String({ description: 'The time in this sandbox, ISO 8601 in UTC.' }),
    offsetSeconds: Type.Number({ description: 'Seconds ahead of the real time.' }),
  },
  { title: 'Clock' },
);

const nullableTime = (description: string) => nullableText({ description });

const sandboxSchema = Type.Object(
  {
    name: Type.String({
      description:
        "The sandbox's name; `shared` for the shared sandbox, or `default` for the account's.",
    }),
    isShared: Type.Boolean(),
    isPristine: Type.Boolean({ description: 'Whether nothing was ever written to it.' }),
    createdAt: nullableTime('Time of the first write; null while pristine.'),
    lastUsedAt: nullableTime('Time of the last use; null while pristine.'),
    expiresAt: nullableTime('When it expires if unused; null while pristine or shared.'),
    clock: clockSchema,
    limits: Type.Object({
      sandboxes: Type.Integer({ description: 'Beyond it, the least recently used is deleted.' }),
      idleSeconds: Type.Integer({
        description: 'Seconds without use, after which a sandbox expires.',
      }),
      createdRecordsPerCollection: Type.Integer({ description: 'Beyond it, requests get 409.' }),
    }),
  },
  { title: 'Sandbox' },
);

export const describeSandbox = (limits: SandboxLimits) =>
  endpoint('GET', path, {
    summary: 'Describe the sandbox',
    description: 'The sandbox in X-Sandbox, or the shared one. Describing it does not create it.',
    responses: { 200: sandboxSchema },
    examples: { 'The shared sandbox': {}, 'A named sandbox': inSandbox('my-own') },
    async handle({ sandbox }) {
      const isShared = sandbox.name === sharedSandboxName;
      const isOwned = ownerOf(sandbox.name) !== undefined;
      const status = await sandbox.status();
      const idleMs = idleMsOf(limits, sandbox.name);
      const expiresAtMs = status && !isShared ? status.lastUsedAtMs + idleMs : undefined;
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
          idleSeconds: idleMs / 1000,
          createdRecordsPerCollection: maxCreatedRows,
        },
      };
    },
  });

export const resetSandbox = endpoint('DELETE', path, {
  summary: 'Reset the sandbox to the pristine data and real time',
  description:
    'Deletes everything that was written to it. In a class, the recorded requests remain for the teacher.',
  responses: { 204: Type.Null() },
  examples: { 'A reset': inSandbox('my-own') },
  async handle({ sandbox }, reply) {
    await resetByCaller(sandbox);
    return reply.code(204).send(null);
  },
});

export const readClock = endpoint('GET', `${path}/clock`, {
  summary: 'Get the time in the sandbox',
  description: 'The clock by which tokens, windows and nonces expire.',
  responses: { 200: clockSchema },
  examples: { 'An hour ahead': inSandbox('my-own') },
  handle: ({ sandbox }) => describeClock(sandbox),
});

export const setClock = endpoint('PUT', `${path}/clock`, {
  summary: 'Move the time in the sandbox',
  description: 'Only in a named sandbox; the shared one keeps the real time.',
  body: Type.Object(
    {
      offsetSeconds: Type.Number({
        minimum: -maxOffsetSeconds,
        maximum: maxOffsetSeconds,
        description: 'How far ahead of the real time to move the sandbox; 0 resets its clock.',
      }),
    },
    { additionalProperties: false },
  ),
  responses: { 200: clockSchema },
  examples: {
    'An hour ahead': { ...inSandbox('my-own'), json: { offsetSeconds: 3600 } },
    'Not a number': { ...inSandbox('my-own'), json: { offsetSeconds: 'soon' } },
  },
  async handle({ sandbox, body }) {
    if (sandbox.name === sharedSandboxName) {
      const message = 'The shared sandbox keeps the real time. Name a private one with X-Sandbox.';
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
