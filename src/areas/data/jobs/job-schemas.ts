/** What the routes of jobs accept and return. */

import { Type } from 'typebox';
import { failures } from '../../../http/schemas/error-schema.js';
import { location, retryAfter } from '../../../http/schemas/header-schemas.js';
import { maxJobSeconds, usualJobSeconds } from './job.js';

const time = { format: 'date-time' } as const;

const jobSchema = Type.Object(
  {
    id: Type.String(),
    status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled'] }),
    progress: Type.Integer({ minimum: 0, maximum: 100 }),
    createdAt: Type.String(time),
    dueAt: Type.String({ ...time, description: "When it is done, by the sandbox's clock." }),
    endedAt: Type.Union([Type.String(time), Type.Null()]),
    result: Type.Union([Type.String(), Type.Null()], {
      description: 'The address of what it came to.',
    }),
    error: Type.Union([
      Type.Object({ status: Type.Integer(), message: Type.String() }),
      Type.Null(),
    ]),
  },
  { title: 'Job' },
);

const params = Type.Object({
  id: Type.String({ maxLength: 100, description: 'The id of the job.' }),
});

export const jobSchemas = {
  create: {
    summary: 'Create a job',
    description: 'It does nothing but take its time, and then has the result that it was given.',
    body: Type.Object(
      {
        seconds: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: maxJobSeconds,
            description: `${usualJobSeconds} by default.`,
          }),
        ),
        fails: Type.Optional(Type.Boolean({ description: 'Whether it fails in the end.' })),
        result: Type.Optional(Type.Unknown({ description: 'Any JSON.' })),
      },
      { title: 'NewJob', default: {} },
    ),
    response: {
      202: jobSchema,
      ...failures(400, 409, 413, 415),
    },
    responseHeaders: { 202: { ...location, ...retryAfter } },
  },
  read: {
    summary: 'Get a job',
    description: 'Once it has a result, 303 leads to it.',
    params,
    response: { 200: jobSchema, 303: jobSchema, ...failures(404) },
    responseHeaders: {
      200: { 'Retry-After': Type.Optional(retryAfter['Retry-After']) },
      303: location,
    },
  },
  cancel: {
    summary: 'Cancel a job',
    params,
    response: { 200: jobSchema, ...failures(404, 409) },
  },
  readResult: {
    summary: 'Get the result of a job',
    description: 'Of one whose result has no other address: a batch, or one that was given.',
    params,
    response: { 200: Type.Unknown({ description: 'Any JSON.' }), ...failures(404) },
  },
};
