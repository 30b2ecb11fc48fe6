/** The jobs of a sandbox: made, looked at, cancelled, and done once when their time has come. */

import { randomBytes } from 'node:crypto';
import { type Awaitable, whenKnown } from '../../../base/awaitable.js';
import { HttpError } from '../../../http/http-error.js';
import { CapacityError, type Sandbox, type Space, type Transaction } from '../../../state/state.js';
import { asHttpError } from '../write/batch.js';
import {
  dueAtMs,
  endJob,
  forgottenAtMs,
  isDue,
  type Job,
  type JobEnd,
  type JobError,
} from './job.js';

/** What a job's work came to. */
export type Work = Pick<JobEnd, 'responseStatus' | 'resultPath' | 'result'>;

/** Does the work of a job in a transaction; throws an `HttpError` when it cannot be done. */
export type DoWork<Task> = (view: Transaction, task: Task, jobId: string) => Work;

interface StoredJob<Task> extends Job<Task> {
  /** What its work and its result take as JSON, about. */
  readonly characters: number;
}

export interface NewJob<Task> {
  readonly seconds: number;
  readonly fails: boolean;
  readonly task: Task;
}

export const maxJobs = 100;
/** What the work of all jobs of a sandbox may take. */
export const maxJobCharacters = 4 * 1024 * 1024;

const failedAsAsked: JobError = { status: 500, message: 'The job failed, as it was asked to.' };

export class JobStore<Task> {
  readonly #space: Space<StoredJob<Task>> = {
    name: 'jobs',
    maxKeys: maxJobs,
    isKeptWhenFull: true,
    fullMessage: `This sandbox already has ${maxJobs} unfinished jobs, the limit. Wait for one, or cancel it.`,
  };
  readonly #doWork: DoWork<Task>;

  constructor(doWork: DoWork<Task>) {
    this.#doWork = doWork;
  }

  newId(): string {
    return randomBytes(12).toString('base64url');
  }

  /**
   * To be awaited before a job is added: those that ended first make room. Throws a `CapacityError` when those that
   * have not ended hold too much.
   */
  async makeRoom(sandbox: Sandbox, task: Task): Promise<void> {
    const jobs = await sandbox.entries(this.#space);
    let characters = JSON.stringify(task).length;
    for (const [, job] of jobs) characters += job.characters;
    const ended = jobs.filter(([, { end }]) => end !== null);
    const leaving: string[] = [];
    for (const [id, job] of ended) {
      if (jobs.length - leaving.length < maxJobs && characters <= maxJobCharacters) break;
      characters -= job.characters;
      leaving.push(id);
    }
    if (characters > maxJobCharacters) {
      throw new CapacityError(
        `The jobs of this sandbox would hold more than ${maxJobCharacters} characters, the limit. Wait for one to end, or cancel it.`,
      );
    }
    if (leaving.length === 0) return;
    await sandbox.transact((view) => {
      for (const id of leaving) view.write(this.#space, id, undefined);
    });
  }

  add(view: Transaction, id: string, { seconds, fails, task }: NewJob<Task>): Job<Task> {
    const job = { createdAtMs: view.nowMs, seconds, fails, task, end: null };
    this.#write(view, id, job);
    return job;
  }

  read(sandbox: Sandbox, id: string): Awaitable<Job<Task> | undefined> {
    return sandbox.read(this.#space, id);
  }

  /** Throws 409 for one that has ended; `undefined` where there is none. */
  cancel(sandbox: Sandbox, id: string): Awaitable<Job<Task> | undefined> {
    return sandbox.transact((view) => {
      const job = view.read(this.#space, id);
      if (job === undefined) return undefined;
      if (job.end !== null) {
        throw new HttpError(
          409,
          `The job has ${job.end.status === 'cancelled' ? 'been cancelled' : job.end.status} already.`,
        );
      }
      return this.#end(view, id, job, { status: 'cancelled', atMs: view.nowMs });
    });
  }

  /** Whether the work of any is to be done by now. */
  isAnyDue(sandbox: Sandbox): Awaitable<boolean> {
    return whenKnown(sandbox.entries(this.#space), (jobs) =>
      jobs.every(([, { end }]) => end !== null)
        ? false
        : whenKnown(sandbox.now(), (nowMs) => jobs.some(([, job]) => isDue(job, nowMs))),
    );
  }

  /** When the next one is due, by the sandbox's clock. */
  async nextDueMs(sandbox: Sandbox): Promise<number | undefined> {
    const jobs = await sandbox.entries(this.#space);
    const times = jobs.flatMap(([, job]) => (job.end === null ? [dueAtMs(job)] : []));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Does the work of all that are due, in the order of their times. */
  async carryOut(sandbox: Sandbox): Promise<void> {
    const nowMs = await sandbox.now();
    const due = (await sandbox.entries(this.#space)).filter(([, job]) => isDue(job, nowMs));
    due.sort(([, a], [, b]) => dueAtMs(a) - dueAtMs(b));
    for (const [id] of due) await this.#finish(sandbox, id);
  }

  /** Once, even if others try: the work and the end of the job are one step. */
  async #finish(sandbox: Sandbox, id: string): Promise<void> {
    try {
      await sandbox.transact((view) => {
        const job = this.#dueJob(view, id);
        if (job === undefined) return;
        if (job.fails) throw new HttpError(failedAsAsked.status, failedAsAsked.message);
        const work = this.#doWork(view, job.task as Task, id);
        this.#end(view, id, job, { status: 'succeeded', atMs: view.nowMs, ...work });
      });
    } catch (thrown) {
      const error = asHttpError(thrown);
      if (error === undefined) throw thrown;
      const { status, message } = error;
      await sandbox.transact((view) => {
        const job = this.#dueJob(view, id);
        if (job === undefined) return;
        this.#end(view, id, job, {
          status: 'failed',
          atMs: view.nowMs,
          error: { status, message },
        });
      });
    }
  }

  #dueJob(view: Transaction, id: string): StoredJob<Task> | undefined {
    const job = view.read(this.#space, id);
    return job !== undefined && isDue(job, view.nowMs) ? job : undefined;
  }

  #end(view: Transaction, id: string, job: Job<Task>, end: JobEnd): Job<Task> {
    const ended = endJob(job, end);
    this.#write(view, id, ended);
    return ended;
  }

  #write(view: Transaction, id: string, job: Job<Task>): void {
    const characters = JSON.stringify([job.task, job.end]).length;
    view.write(this.#space, id, { ...job, characters }, { expiresAtMs: forgottenAtMs(job) });
  }
}
