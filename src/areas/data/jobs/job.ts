/** Work that is done later: what a job is at a time, which decides everything about it. */

/** As it is kept. What it has to do, `Task`, is of no concern here. */
export interface Job<Task = unknown> {
  readonly createdAtMs: number;
  /** How long it takes. */
  readonly seconds: number;
  /** Whether it fails in the end, as its caller asked. */
  readonly fails: boolean;
  /** Gone once it has ended. */
  readonly task: Task | null;
  readonly end: JobEnd | null;
}

export interface JobEnd {
  readonly atMs: number;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  /** The status of the response if there had been no job. */
  readonly answerStatus?: number;
  /** Where the result is, below the base URL. */
  readonly resultPath?: string;
  /** What it is, where it is nothing of its own address. */
  readonly result?: unknown;
  readonly error?: JobError;
}

export interface JobError {
  readonly status: number;
  readonly message: string;
}

export const usualJobSeconds = 5;
export const maxJobSeconds = 3_600;

/** So long a job can be asked for after its time. */
export const keptAfterMs = 24 * 60 * 60 * 1000;

export type JobStatus = 'queued' | 'running' | JobEnd['status'];

/** So much of its time it waits before it runs, and never longer than a second. */
const queuedShare = 0.1;
const maxQueuedMs = 1_000;

export function dueAtMs({ createdAtMs, seconds }: Job): number {
  return createdAtMs + seconds * 1000;
}

/** Whether its work is to be done by now. */
export function isDue(job: Job, nowMs: number): boolean {
  return job.end === null && nowMs >= dueAtMs(job);
}

/** From when on it is forgotten; not before its work is done, however late that is. */
export function forgottenAtMs(job: Job): number {
  return job.end === null ? Number.POSITIVE_INFINITY : dueAtMs(job) + keptAfterMs;
}

export function statusAt(job: Job, nowMs: number): JobStatus {
  if (job.end !== null) return job.end.status;
  const queuedMs = Math.min(maxQueuedMs, job.seconds * 1000 * queuedShare);
  return nowMs - job.createdAtMs < queuedMs ? 'queued' : 'running';
}

/** 0 to 100; less than that until its work is done. A clock that is moved back takes it back. */
export function progressAt(job: Job, nowMs: number): number {
  if (job.end?.status === 'succeeded') return 100;
  const reached = Math.min(nowMs, job.end?.atMs ?? nowMs) - job.createdAtMs;
  const share = job.seconds === 0 ? 1 : reached / (job.seconds * 1000);
  return Math.max(0, Math.min(99, Math.floor(share * 100)));
}

/** In how many seconds it is worth asking again; at least one. */
export function retryAfterSeconds(job: Job, nowMs: number): number {
  return Math.max(1, Math.ceil((dueAtMs(job) - nowMs) / 1000));
}

export function endJob<Task>(job: Job<Task>, end: JobEnd): Job<Task> {
  return { ...job, task: null, end };
}

/** A job as the wire shows it. */
export function describeJob(id: string, job: Job, nowMs: number, baseUrl: string) {
  const { end } = job;
  return {
    id,
    status: statusAt(job, nowMs),
    progress: progressAt(job, nowMs),
    createdAt: isoTime(job.createdAtMs),
    dueAt: isoTime(dueAtMs(job)),
    endedAt: end === null ? null : isoTime(end.atMs),
    result: end?.resultPath === undefined ? null : `${baseUrl}${end.resultPath}`,
    error: end?.error ?? null,
  };
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
