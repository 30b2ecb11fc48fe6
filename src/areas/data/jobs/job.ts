/** Work that is done later. The job's state is computed from its data and the time. */

import type { Command } from '../write/write.js';

export const jobsPath = '/api/jobs';

/** The work of a job; without a command, it only has a result. Serializable as JSON. */
export type JobTask =
  | { readonly result: unknown; readonly command?: undefined }
  | {
      readonly command: Command;
      readonly collection: string;
      readonly baseUrl: string;
    };

export interface Job {
  readonly createdAtMs: number;
  readonly seconds: number;
  /** Whether it fails, as requested. */
  readonly fails: boolean;
  /** Null after the job has ended. */
  readonly task: JobTask | null;
  readonly end: JobEnd | null;
}

export interface JobEnd {
  readonly atMs: number;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  /** The status of the response without a job. */
  readonly responseStatus?: number;
  readonly resultPath?: string;
  /** A result that is only at the job's path. */
  readonly result?: unknown;
  readonly error?: { readonly status: number; readonly message: string };
}

export const usualJobSeconds = 5;
export const maxJobSeconds = 3_600;

const keptAfterMs = 24 * 60 * 60 * 1000;

/** A job is queued for this share of its duration, and at most a second. */
const queuedShare = 0.1;
const maxQueuedMs = 1_000;

export function dueAtMs({ createdAtMs, seconds }: Job): number {
  return createdAtMs + seconds * 1000;
}

export function isDue(job: Job, nowMs: number): boolean {
  return job.end === null && nowMs >= dueAtMs(job);
}

/** When it expires, but not before its work is done. */
export function forgottenAtMs(job: Job): number {
  return job.end === null ? Number.POSITIVE_INFINITY : dueAtMs(job) + keptAfterMs;
}

export function statusAt(job: Job, nowMs: number): 'queued' | 'running' | JobEnd['status'] {
  if (job.end !== null) return job.end.status;
  const queuedMs = Math.min(maxQueuedMs, job.seconds * 1000 * queuedShare);
  return nowMs - job.createdAtMs < queuedMs ? 'queued' : 'running';
}

/** From 0 to 100, which means that its work is done. Setting the clock back lowers it. */
export function progressAt(job: Job, nowMs: number): number {
  if (job.end?.status === 'succeeded') return 100;
  const reached = Math.min(nowMs, job.end?.atMs ?? nowMs) - job.createdAtMs;
  const share = job.seconds === 0 ? 1 : reached / (job.seconds * 1000);
  return Math.max(0, Math.min(99, Math.floor(share * 100)));
}

export function retryAfterSeconds(job: Job, nowMs: number): number {
  return Math.max(1, Math.ceil((dueAtMs(job) - nowMs) / 1000));
}

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
