/** Jobs, as callers make them, look at them and cancel them. */

import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox } from '../../../state/state.js';
import { faultyFields } from '../source/faults.js';
import { unknownMembers } from '../source/strictness.js';
import {
  acceptedAs,
  describeJob,
  type Job,
  jobsPath,
  retryAfterSeconds,
  usualJobSeconds,
} from './job.js';
import { jobSchemas } from './job-schemas.js';
import type { Jobs, JobTask } from './jobs.js';

interface SentJob {
  readonly seconds?: number;
  readonly fails?: boolean;
  readonly result?: unknown;
}

export function addJobRoutes(app: App, services: Services, jobs: Jobs): void {
  const { sandboxOf, baseUrlOf, dueWork } = services;
  const { store } = jobs;

  async function find(sandbox: Sandbox, id: string): Promise<Job<JobTask>> {
    await dueWork.settle(sandbox);
    const job = await store.read(sandbox, id);
    if (job === undefined) throw unknownJob(id);
    return job;
  }

  const idOf = ({ params }: Request) => (params as { readonly id: string }).id;

  async function create(request: Request, reply: Reply): Promise<never> {
    const sent = request.body as SentJob;
    const faults = unknownMembers(request, sent, ['seconds', 'fails', 'result']);
    if (faults.length > 0) throw faultyFields(faults);
    const { seconds = usualJobSeconds, fails = false, result = null } = sent;
    const sandbox = sandboxOf(request);
    const task: JobTask = { result };
    await store.makeRoom(sandbox, task);
    const id = store.newId();
    const baseUrl = baseUrlOf(request);
    const accepted = await sandbox.transact((view) =>
      acceptedAs(id, store.add(view, id, { seconds, fails, task }), view.nowMs, baseUrl),
    );
    jobs.watch(sandbox, id);
    reply.code(202).header('location', `${baseUrl}${accepted.location}`);
    reply.header('retry-after', accepted.retryAfterSeconds);
    return sendJson(reply, accepted.json);
  }

  async function read(request: Request, reply: Reply): Promise<never> {
    const sandbox = sandboxOf(request);
    const id = idOf(request);
    const job = await find(sandbox, id);
    const nowMs = await sandbox.now();
    const shown = describeJob(id, job, nowMs, baseUrlOf(request));
    if (job.end === null) reply.header('retry-after', retryAfterSeconds(job, nowMs));
    if (shown.result !== null) reply.code(303).header('location', shown.result);
    return sendJson(reply, shown);
  }

  async function readResult(request: Request, reply: Reply): Promise<never> {
    const id = idOf(request);
    const { end } = await find(sandboxOf(request), id);
    if (end?.result === undefined) {
      throw new HttpError(
        404,
        `The job ${id} has no result of its own. GET ${jobsPath}/${id} says why.`,
      );
    }
    return sendJson(reply, end.result);
  }

  async function cancel(request: Request, reply: Reply): Promise<never> {
    const sandbox = sandboxOf(request);
    const id = idOf(request);
    await dueWork.settle(sandbox);
    const job = await store.cancel(sandbox, id);
    if (job === undefined) throw unknownJob(id);
    return sendJson(reply, describeJob(id, job, await sandbox.now(), baseUrlOf(request)));
  }

  app.post(jobsPath, { schema: jobSchemas.create }, create);
  app.get(`${jobsPath}/:id`, { schema: jobSchemas.read }, read);
  app.delete(`${jobsPath}/:id`, { schema: jobSchemas.cancel }, cancel);
  app.get(`${jobsPath}/:id/result`, { schema: jobSchemas.readResult }, readResult);
}

function sendJson(reply: Reply, value: unknown): never {
  const text = JSON.stringify(value);
  return reply.header('content-type', jsonContentType).send(text) as never;
}

function unknownJob(id: string): HttpError {
  return new HttpError(404, `There is no job ${id}. Jobs are forgotten a day after their time.`);
}
