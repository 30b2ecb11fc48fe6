/** The response that promises a job (RFC 9110 section 15.3.3). */

import type { WriteResult } from '../write/write.js';
import { describeJob, type Job, retryAfterSeconds } from './job.js';
import { jobsPath } from './jobs-path.js';

export function acceptedAs(
  jobId: string,
  job: Job,
  nowMs: number,
  baseUrl: string,
): WriteResult & { readonly jobId: string } {
  return {
    status: 202,
    json: describeJob(jobId, job, nowMs, baseUrl),
    location: `${jobsPath}/${jobId}`,
    retryAfterSeconds: retryAfterSeconds(job, nowMs),
    jobId,
  };
}
