/** The jobs of a service: created, read, cancelled, and performed once at their time. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { oncePer } from '#base/once-per.js';
import type { Owner } from '#base/shares/owner.js';
import { Shares } from '#base/shares/shares.js';
import type { HeldRequest } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import {
  CapacityError,
  type Sandbox,
  type Space,
  shareOf,
  type Transaction,
} from '#state/state.js';
import type { DataServices } from '../source/data-services.js';
import { recordPath, type Source } from '../source/source.js';
import { asHttpError } from '../write/batch.js';
import { performCommand } from '../write/perform-write.js';
import type { WriteResult } from '../write/write.js';
import {
  describeJob,
  dueAtMs,
  forgottenAtMs,
  isDue,
  type Job,
  type JobEnd,
  type JobTask,
  jobsPath,
  retryAfterSeconds,
} from './job.js';

export const maxJobs = 100;
const maxJobCharacters = 4 * 1024 * 1024;

/** With the approximate size of its work and its result as JSON. */
const space: Space<Job & { readonly characters: number }> = {
  name: 'jobs',
  maxKeys: maxJobs,
  isKeptWhenFull: true,
  fullMessage: `This sandbox already has ${maxJobs} unfinished jobs, the maximum. Wait for one, or cancel it.`,
};

interface NewJob extends Pick<Job, 'seconds' | 'fails' | 'task'> {
  readonly baseUrl: string;
}

type FindSource = (view: Transaction, path: string) => Source | undefined;

/**
 * Limit of sandboxes with a timer. In other sandboxes, jobs are performed before the next request. The owner with most
 * timers makes room.
 */
const maxTimers = 1_000;
const maxDelayMs = 60 * 60 * 1000;

interface Timer {
  readonly timer: NodeJS.Timeout;
  readonly owner: Owner;
}

export class Jobs {
  readonly #finders: FindSource[] = [];
  readonly #timers = new Map<string, Timer>();
  /** Names of sandboxes with a timer. */
  readonly #shares = new Shares<string>(maxTimers);
  #isClosed = false;

  constructor({ dueWork, onClose }: DataServices) {
    dueWork.bring({ isDue: isAnyDue, carryOut: (sandbox) => this.#carryOut(sandbox) });
    onClose(() => {
      this.#isClosed = true;
      for (const { timer } of this.#timers.values()) clearTimeout(timer);
    });
  }

  /** Lets jobs write to the sources that `find` returns. */
  serve(find: FindSource): void {
    this.#finders.push(find);
  }

  /**
   * Drops ended jobs to make room for a new one, and returns its id. Throws a `CapacityError` if the others are too
   * large.
   */
  async makeRoom(sandbox: Sandbox, task: JobTask): Promise<string> {
    const jobs = await sandbox.entries(space);
    let characters = JSON.stringify(task).length;
    for (const [, job] of jobs) characters += job.characters;
    const leaving: string[] = [];
    for (const [id, job] of jobs) {
      if (jobs.length - leaving.length < maxJobs && characters <= maxJobCharacters) break;
      if (job.end === null) continue;
      characters -= job.characters;
      leaving.push(id);
    }
    if (characters > maxJobCharacters) {
      const message = `The jobs of this sandbox would have more than ${maxJobCharacters} characters, the maximum. Wait for one to end, or cancel it.`;
      throw new CapacityError(message);
    }
    if (leaving.length > 0) {
      await sandbox.transact((view) => {
        for (const id of leaving) view.write(space, id, undefined);
      });
    }
    return randomBytes(12).toString('base64url');
  }

  /** Returns the 202 response for the job (RFC 9110 section 15.3.3). */
  add(view: Transaction, id: string, { baseUrl, ...job }: NewJob) {
    const added = write(view, id, { ...job, createdAtMs: view.nowMs, end: null });
    return {
      status: 202,
      json: describeJob(id, added, view.nowMs, baseUrl),
      location: `${jobsPath}/${id}`,
      retryAfterSeconds: retryAfterSeconds(added, view.nowMs),
    } as const satisfies WriteResult;
  }

  async find(sandbox: Sandbox, id: string): Promise<Job> {
    return (await this.#read(sandbox, id)) ?? unknownJob(id);
  }

  /** Reads a job after performing all due jobs. */
  async #read(sandbox: Sandbox, id: string): Promise<Job | undefined> {
    await this.#settle(sandbox);
    return sandbox.read(space, id);
  }

  async cancel(sandbox: Sandbox, id: string): Promise<Job> {
    await this.#settle(sandbox);
    return sandbox.transact((view) => {
      const job = view.read(space, id) ?? unknownJob(id);
      if (job.end === null) return end(view, id, job, { status: 'cancelled' });
      const status = job.end.status === 'cancelled' ? 'been cancelled' : job.end.status;
      throw new HttpError(409, `The job has already ${status}.`);
    });
  }

  /** Performs the jobs of a sandbox at their times. */
  watch(sandbox: Sandbox): void {
    // If the state is unreachable, the first request afterwards performs the jobs.
    this.#setTimer(sandbox).catch(() => {});
  }

  async #setTimer(sandbox: Sandbox): Promise<void> {
    const times = (await pendingJobs(sandbox)).map(([, job]) => dueAtMs(job));
    const leftMs = Math.min(...times) - (await sandbox.now());
    this.#dropTimer(sandbox.name);
    const owner = shareOf(sandbox);
    if (times.length === 0 || this.#isClosed || !this.#makeTimerRoom(owner)) return;
    const wake = () => void this.#wake(sandbox).catch(() => {});
    const timer = setTimeout(wake, Math.max(0, Math.min(leftMs, maxDelayMs)));
    this.#timers.set(sandbox.name, { timer: timer.unref(), owner });
    this.#shares.add(owner, sandbox.name);
  }

  #dropTimer(name: string): void {
    const known = this.#timers.get(name);
    if (known === undefined) return;
    clearTimeout(known.timer);
    this.#timers.delete(name);
    this.#shares.remove(known.owner, name);
  }

  #makeTimerRoom(owner: Owner): boolean {
    if (!this.#shares.isFull) return true;
    const [oldest] = this.#shares.rivalsOf(owner) ?? [];
    if (oldest !== undefined) this.#dropTimer(oldest);
    return oldest !== undefined;
  }

  async #wake(sandbox: Sandbox): Promise<void> {
    this.#dropTimer(sandbox.name);
    await this.#carryOut(sandbox);
    await this.#setTimer(sandbox);
  }

  /** Returns how the job ended, or its state when `held` is over. Releases `held`. */
  async waitForEnd(sandbox: Sandbox, id: string, { signal, release }: HeldRequest) {
    try {
      let job = await this.#read(sandbox, id);
      while (job?.end === null && !signal.aborted) {
        const leftMs = dueAtMs(job) - (await sandbox.now());
        // The clock of the sandbox can be moved meanwhile.
        await sleep(Math.min(Math.max(leftMs, 1), 1000), undefined, { signal }).catch(() => {});
        job = await this.#read(sandbox, id);
      }
      return job?.end ?? undefined;
    } finally {
      release();
    }
  }

  async #settle(sandbox: Sandbox): Promise<void> {
    if (await isAnyDue(sandbox)) await this.#carryOut(sandbox);
  }

  async #carryOut(sandbox: Sandbox): Promise<void> {
    const nowMs = await sandbox.now();
    const due = (await pendingJobs(sandbox)).filter(([, job]) => isDue(job, nowMs));
    due.sort(([, a], [, b]) => dueAtMs(a) - dueAtMs(b));
    for (const [id] of due) await this.#finish(sandbox, id);
  }

  /** Performs the job and marks it as ended in one transaction, so that it is done only once. */
  async #finish(sandbox: Sandbox, id: string): Promise<void> {
    const endAs = (endOf: (view: Transaction, job: Job) => Omit<JobEnd, 'atMs'>) =>
      sandbox.transact((view) => {
        const job = view.read(space, id);
        if (job !== undefined && isDue(job, view.nowMs)) end(view, id, job, endOf(view, job));
      });
    try {
      await endAs((view, job) => {
        if (job.fails) throw new HttpError(500, 'Simulated failure: the job was created to fail.');
        return { status: 'succeeded', ...this.#doWork(view, job.task as JobTask, id) };
      });
    } catch (thrown) {
      const error = asHttpError(thrown);
      if (error === undefined) throw thrown;
      const { status, message } = error;
      await endAs(() => ({ status: 'failed', error: { status, message } }));
    }
  }

  #doWork(view: Transaction, task: JobTask, id: string): Partial<JobEnd> {
    const resultPath = `${jobsPath}/${id}/result`;
    if (task.command === undefined) return { resultPath, result: task.result };
    const { collection, command, baseUrl } = task;
    const [source] = this.#finders.flatMap((find) => find(view, collection) ?? []);
    if (source === undefined) throw new HttpError(404, `There is no collection ${collection}.`);
    const { status, record, json } = performCommand(view, source, command, () => baseUrl);
    const work = { responseStatus: status };
    if (json !== undefined) return { ...work, resultPath, result: json };
    if (record === undefined) return work;
    return { ...work, resultPath: recordPath(source, record.id) };
  }
}

/** All areas of a service share its jobs. */
export const jobsOf = oncePer((services: DataServices) => new Jobs(services));

function unknownJob(id: string): never {
  throw new HttpError(404, `There is no job ${id}. Jobs are deleted a day after their time.`);
}

function isAnyDue(sandbox: Sandbox): Awaitable<boolean> {
  return whenKnown(sandbox.entries(space), (jobs) =>
    jobs.every(([, { end }]) => end !== null)
      ? false
      : whenKnown(sandbox.now(), (nowMs) => jobs.some(([, job]) => isDue(job, nowMs))),
  );
}

async function pendingJobs(sandbox: Sandbox) {
  return (await sandbox.entries(space)).filter(([, { end }]) => end === null);
}

function end(view: Transaction, id: string, job: Job, as: Omit<JobEnd, 'atMs'>): Job {
  return write(view, id, { ...job, task: null, end: { ...as, atMs: view.nowMs } });
}

function write(view: Transaction, id: string, job: Job): Job {
  const characters = JSON.stringify([job.task, job.end]).length;
  view.write(space, id, { ...job, characters }, { expiresAtMs: forgottenAtMs(job) });
  return job;
}
