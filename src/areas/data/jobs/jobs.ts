/** The jobs of a service: writes to collections, and work that is nothing but its result. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldRequest } from '../../../http/held-requests.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox, Transaction } from '../../../state/state.js';
import { recordPath, type Source } from '../source/source.js';
import { type Command, performCommand } from '../write/command.js';
import { dueAtMs, jobsPath } from './job.js';
import { JobStore, type Work } from './job-store.js';
import { JobTimers } from './job-timers.js';

/** It survives JSON. */
export type JobTask =
  | { readonly result: unknown; readonly command?: undefined }
  | {
      readonly command: Command;
      /** The path of the collection. */
      readonly collection: string;
      readonly baseUrl: string;
    };

/** Finds the source at a path, in a transaction. */
type FindSource = (view: Transaction, path: string) => Source | undefined;

/** All areas of a service share its jobs. */
const known = new WeakMap<Services, Jobs>();

export function jobsOf(services: Services): Jobs {
  const made = known.get(services) ?? new Jobs(services);
  known.set(services, made);
  return made;
}

export class Jobs {
  readonly store: JobStore<JobTask>;
  readonly #timers: JobTimers;
  readonly #finders: FindSource[] = [];

  constructor({ dueWork }: Services) {
    this.store = new JobStore<JobTask>((view, task, id) => this.#doWork(view, task, id));
    this.#timers = new JobTimers(async (sandbox) => {
      await this.store.carryOut(sandbox);
      return this.store.nextDueMs(sandbox);
    });
    dueWork.bring({
      isDue: (sandbox) => this.store.isAnyDue(sandbox),
      carryOut: (sandbox) => this.store.carryOut(sandbox),
    });
  }

  /** Lets jobs write to the sources that `find` knows. */
  serve(find: FindSource): void {
    this.#finders.push(find);
  }

  /** Does the work of a job when its time has come. */
  watch(sandbox: Sandbox, id: string): void {
    const set = async () => {
      const job = await this.store.read(sandbox, id);
      if (job !== undefined) this.#timers.set(sandbox, dueAtMs(job), await sandbox.now());
    };
    // While the state cannot be reached, there is nothing to set: the first request after that has the work done.
    set().catch(() => {});
  }

  /** Waits until the job has ended or `held` is over, and releases it. */
  async waitForEnd(sandbox: Sandbox, id: string, held: HeldRequest): Promise<void> {
    const { signal } = held;
    try {
      while (!signal.aborted) {
        if (await this.store.isAnyDue(sandbox)) await this.store.carryOut(sandbox);
        const job = await this.store.read(sandbox, id);
        if (job === undefined || job.end !== null) return;
        const leftMs = dueAtMs(job) - (await sandbox.now());
        // The clock of the sandbox can be moved meanwhile.
        await sleep(Math.min(Math.max(leftMs, 1), 1000), undefined, { signal }).catch(() => {});
      }
    } finally {
      held.release();
    }
  }

  close(): void {
    this.#timers.close();
  }

  #doWork(view: Transaction, task: JobTask, id: string): Work {
    if (task.command === undefined) {
      return { resultPath: `${jobsPath}/${id}/result`, result: task.result };
    }
    const { collection, command, baseUrl } = task;
    const [source] = this.#finders.flatMap((find) => find(view, collection) ?? []);
    if (source === undefined) throw new HttpError(404, `There is no collection ${collection}.`);
    const { status, record, json } = performCommand(view, source, command, () => baseUrl);
    const work = { responseStatus: status };
    if (json !== undefined) {
      return { ...work, resultPath: `${jobsPath}/${id}/result`, result: json };
    }
    if (record === undefined) return work;
    return { ...work, resultPath: recordPath(source, record.id) };
  }
}
