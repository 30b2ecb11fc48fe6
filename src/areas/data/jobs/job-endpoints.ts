/** Endpoints of jobs: create, read and cancel them. */

import { Type } from 'typebox';
import { HttpError, jsonContentType } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { location, retryAfter } from '#http/schemas/header-schemas.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { rejectFaults, unknownMembers } from '../source/faults.js';
import {
  describeJob,
  type JobTask,
  jobsPath,
  maxJobSeconds,
  retryAfterSeconds,
  usualJobSeconds,
} from './job.js';
import type { Jobs } from './jobs.js';

const time = { format: 'date-time' } as const;

const jobSchema = Type.Object(
  {
    id: Type.String(),
    status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled'] }),
    progress: Type.Integer({ minimum: 0, maximum: 100 }),
    createdAt: Type.String(time),
    dueAt: Type.String({ ...time, description: "When it will be done, by the sandbox's clock." }),
    endedAt: Type.Union([Type.String(time), Type.Null()]),
    result: Type.Union([Type.String(), Type.Null()], {
      description: 'The URL of the result.',
    }),
    error: Type.Union([
      Type.Object({ status: Type.Integer(), message: Type.String() }),
      Type.Null(),
    ]),
  },
  { title: 'Job' },
);

const newJobSchema = Type.Object(
  {
    seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: maxJobSeconds,
        description: `Default: ${usualJobSeconds}.`,
      }),
    ),
    fails: Type.Optional(Type.Boolean({ description: 'Whether the job fails.' })),
    result: Type.Optional(Type.Unknown({ description: 'Any JSON.' })),
  },
  { title: 'NewJob', default: {} },
);

const params = { id: Type.String({ maxLength: 100, description: 'The id of the job.' }) };

export function jobEndpoints(jobs: Jobs): Endpoint[] {
  return [create(jobs), read(jobs), cancel(jobs), readResult(jobs)];
}

const create = (jobs: Jobs) =>
  endpoint('POST', jobsPath, {
    summary: 'Create a job',
    description: 'It only waits, and then has the given result.',
    body: newJobSchema,
    responses: { 202: jobSchema, ...failures(409) },
    responseHeaders: { 202: { ...location, ...retryAfter } },
    async handle(request, reply) {
      const { sandbox, baseUrl, body } = request;
      rejectFaults(unknownMembers(request, body, newJobSchema));
      const { seconds = usualJobSeconds, fails = false, result = null } = body;
      const task: JobTask = { result };
      const id = await jobs.makeRoom(sandbox, task);
      const accepted = await sandbox.transact((view) =>
        jobs.add(view, id, { seconds, fails, task, baseUrl }),
      );
      jobs.watch(sandbox);
      reply.code(202).header('location', `${baseUrl}${accepted.location}`);
      reply.header('retry-after', accepted.retryAfterSeconds);
      return accepted.json;
    },
  });

const read = (jobs: Jobs) =>
  endpoint('GET', `${jobsPath}/:id`, {
    summary: 'Get a job',
    description: 'When it has a result, 303 redirects to it.',
    params,
    responses: { 200: jobSchema, 303: jobSchema, ...failures(404) },
    responseHeaders: {
      200: { 'Retry-After': Type.Optional(retryAfter['Retry-After']) },
      303: location,
    },
    async handle({ sandbox, baseUrl, params: { id } }, reply) {
      const job = await jobs.find(sandbox, id);
      const nowMs = await sandbox.now();
      const shown = describeJob(id, job, nowMs, baseUrl);
      if (job.end === null) reply.header('retry-after', retryAfterSeconds(job, nowMs));
      if (shown.result !== null) reply.code(303).header('location', shown.result);
      return shown;
    },
  });

const cancel = (jobs: Jobs) =>
  endpoint('DELETE', `${jobsPath}/:id`, {
    summary: 'Cancel a job',
    params,
    responses: { 200: jobSchema, ...failures(404, 409) },
    async handle({ sandbox, baseUrl, params: { id } }) {
      const job = await jobs.cancel(sandbox, id);
      return describeJob(id, job, await sandbox.now(), baseUrl);
    },
  });

const readResult = (jobs: Jobs) =>
  endpoint('GET', `${jobsPath}/:id/result`, {
    summary: 'Get the result of a job',
    description: 'For jobs whose result has no other URL: a batch, or a given result.',
    params,
    responses: { 200: Type.Unknown({ description: 'Any JSON.' }), ...failures(404) },
    async handle({ sandbox, params: { id } }, reply) {
      const { end } = await jobs.find(sandbox, id);
      if (end?.result === undefined) {
        const message = `The job ${id} has no separate result. GET ${jobsPath}/${id} says why.`;
        throw new HttpError(404, message);
      }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(end.result));
    },
  });
