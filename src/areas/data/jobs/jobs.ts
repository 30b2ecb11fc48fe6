/** What becomes jobs here: writes to collections, and work that is nothing but its result. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldRequest } from '../../../http/held-requests.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox, Transaction } from '../../../state/state.js';
import { type Resource, recordPath } from '../built-in/resource.js';
import { type Command, performCommand } from '../write/command.js';
import { dueAtMs } from './job.js';
import { JobStore, type Work } from './job-store.js';
import { JobTimers } from './job-timers.js';
import { jobsPath } from './jobs-path.js';

/** It survives JSON. */
export type JobTask =
  | { readonly result: unknown; readonly command?: undefined }
  | {
      readonly command: Command;
      /** The path of the collection. */
      readonly collection: string;
      readonly baseUrl: string;
    };

/** The collection at a path, as a transaction finds it. */
type FindResource = (view: Transaction, path: string) => Resource | undefined;

/** What writes to collections of one service share. */
const known = new WeakMap<Services, Jobs>();

export function jobsOf(services: Services): Jobs {
  const made = known.get(services) ?? new Jobs(services);
  known.set(services, made);
  return made;
}

export class Jobs {
  readonly store: JobStore<JobTask>;
  readonly #timers: JobTimers;
  readonly #resources = new Map<string, Resource>();
  #findOthers: FindResource = () => undefined;

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

  /** Jobs may write to it from now on. */
  serve(resource: Resource): void {
    this.#resources.set(resource.path, resource);
  }

  /** The same of collections that only some sandboxes have. */
  serveOthers(find: FindResource): void {
    this.#findOthers = find;
  }

  /** Sees to the work of a job when its time has come. */
  watch(sandbox: Sandbox, id: string): void {
    const set = async () => {
      const job = await this.store.read(sandbox, id);
      if (job !== undefined) this.#timers.set(sandbox, dueAtMs(job), await sandbox.now());
    };
    // Without the state there is nothing to wait for; the first request when it is back has the work done.
    set().catch(() => {});
  }

  /** Until the job has ended or `held` is over, which it releases. */
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
    const resource = this.#resources.get(collection) ?? this.#findOthers(view, collection);
    if (resource === undefined) throw new HttpError(404, `There is no collection ${collection}.`);
    const { status, record, json } = performCommand(view, resource, command, () => baseUrl);
    const work = { answerStatus: status };
    if (json !== undefined) {
      return { ...work, resultPath: `${jobsPath}/${id}/result`, result: json };
    }
    if (record === undefined) return work;
    return { ...work, resultPath: recordPath(resource, record.id) };
  }
}
