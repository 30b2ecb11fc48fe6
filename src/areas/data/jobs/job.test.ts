import { describe, expect, test } from 'vitest';
import {
  describeJob,
  forgottenAtMs,
  isDue,
  type Job,
  type JobEnd,
  progressAt,
  retryAfterSeconds,
  statusAt,
} from './job.js';

const start = Date.UTC(2027, 0, 1);
const job: Job = {
  createdAtMs: start,
  seconds: 5,
  fails: false,
  task: { result: 'work' },
  end: null,
};
const short: Job = { ...job, seconds: 0 };
const ended = (end: JobEnd): Job => ({ ...job, task: null, end });
const done = ended({ atMs: start + 5_000, status: 'succeeded', resultPath: '/api/Books/26' });
const cancelled = ended({ atMs: start + 2_000, status: 'cancelled' });
const failed = ended({
  atMs: start + 9_000,
  status: 'failed',
  error: { status: 404, message: 'Gone.' },
});

test.each([
  ['at once', job, 0, 'queued', 0, false, 5],
  ['within the first tenth', job, 499, 'queued', 9, false, 5],
  ['after it', job, 500, 'running', 10, false, 5],
  ['in the middle', job, 2_500, 'running', 50, false, 3],
  ['just before its time', job, 4_999, 'running', 99, false, 1],
  ['at its time, until its work is done', job, 5_000, 'running', 99, true, 1],
  ['long after its time', job, 90_000_000, 'running', 99, true, 1],
  ['with 0 seconds', short, 0, 'running', 99, true, 1],
  ['before its creation, after the clock was set back', job, -60_000, 'queued', 0, false, 65],
  [
    'of an hour, which waits only a second',
    { ...job, seconds: 3_600 },
    1_000,
    'running',
    0,
    false,
    3_599,
  ],
  ['done', done, 6_000, 'succeeded', 100, false, 1],
  ['done, after the clock was set back', done, 1_000, 'succeeded', 100, false, 4],
  ['cancelled, with its progress unchanged', cancelled, 60_000, 'cancelled', 40, false, 1],
  ['failed', failed, 60_000, 'failed', 99, false, 1],
] as const)('a job %s', (_name, each, afterMs, status, progress, due, retryAfter) => {
  const nowMs = start + afterMs;
  expect({
    status: statusAt(each, nowMs),
    progress: progressAt(each, nowMs),
    due: isDue(each, nowMs),
    retryAfter: retryAfterSeconds(each, nowMs),
  }).toEqual({ status, progress, due, retryAfter });
});

describe('a job', () => {
  test('is stored until its work is done, and for a day after its time', () => {
    expect(forgottenAtMs(job)).toBe(Number.POSITIVE_INFINITY);
    expect(forgottenAtMs(failed)).toBe(start + 5_000 + 24 * 60 * 60 * 1000);
  });

  test('has the URL of its result', () => {
    expect(describeJob('j1', done, start + 6_000, 'http://localhost')).toEqual({
      id: 'j1',
      status: 'succeeded',
      progress: 100,
      createdAt: '2027-01-01T00:00:00.000Z',
      dueAt: '2027-01-01T00:00:05.000Z',
      endedAt: '2027-01-01T00:00:05.000Z',
      result: 'http://localhost/api/Books/26',
      error: null,
    });
  });

  test('says why it failed', () => {
    const { result, error } = describeJob('j1', failed, start + 9_000, 'http://localhost');
    expect({ result, error }).toEqual({ result: null, error: { status: 404, message: 'Gone.' } });
  });
});
