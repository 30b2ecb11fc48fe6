import { expect, test } from 'vitest';
import { judgeSoak } from '../../lab/soak/judge-soak.js';

const durationMs = 600_000;
const mebibyte = 1024 * 1024;

interface Course {
  readonly mebibytes?: (minute: number) => number;
  readonly latencyMs?: (minute: number) => number;
  readonly blockMs?: number;
  /** How long the machine needs for the most expensive body. */
  readonly dearestMs?: number;
}

/** Samples of every second, as from a soak test with this course. */
function complaintsAbout({
  mebibytes = () => 300,
  latencyMs = () => 2,
  blockMs = 20,
  dearestMs = 30,
}: Course) {
  const seconds = Array.from({ length: durationMs / 1000 }, (_, index) => index);
  return judgeSoak({
    durationMs,
    dearestMs: [dearestMs, dearestMs * 9, dearestMs],
    health: seconds.map((second) => {
      const bytes = mebibytes(second / 60) * mebibyte;
      // Between two sweeps the heap contains garbage.
      const heapBytes = bytes / 2 + (second % 7) * mebibyte;
      const longestBlockMs = second === 400 ? blockMs : 5;
      return {
        atMs: second * 1000,
        rssBytes: bytes,
        heapBytes,
        longestBlockMs,
        longestWaitMs: 900,
      };
    }),
    latencies: seconds.map((second) => ({ atMs: second * 1000, ms: latencyMs(second / 60) })),
  }).complaints;
}

test.each<[string, Course]>([
  ['everything is level', {}],
  ['memory grows while caches fill', { mebibytes: (minute) => Math.min(100 + minute * 80, 400) }],
  ['memory goes up and down', { mebibytes: (minute) => 300 + 30 * Math.sin(minute * 20) }],
  ['the warm-up is slow', { latencyMs: (minute) => (minute < 3 ? 50 : 2) }],
  ['other processes delay the event loop', { blockMs: 99 }],
  ['a slow machine needs long for one body', { blockMs: 139, dearestMs: 70 }],
])('a soak passes if %s', (_what, course) => {
  expect(complaintsAbout(course)).toEqual([]);
});

test.each<[string, Course, RegExp]>([
  ['memory leaks', { mebibytes: (minute) => 300 + minute * 10 }, /^memory grew by 1\d\.\d %$/],
  ['latency grows', { latencyMs: (minute) => 2 + minute }, /^p50 crept from 7\.5 ms to 10\.5 ms$/],
  ['callers make it hold too much memory', { mebibytes: () => 800 }, /^memory reached 800 MiB$/],
  ['one piece of work is long', { blockMs: 101 }, /^the event loop was blocked for 101\.0 ms$/],
  [
    'one piece of work is long even for a slow machine',
    { blockMs: 141, dearestMs: 70 },
    /^the event loop was blocked for 141\.0 ms$/,
  ],
])('a soak fails if %s', (_what, course, complaint) => {
  expect(complaintsAbout(course)).toContainEqual(expect.stringMatching(complaint));
});
