import { expect, test } from 'vitest';
import { FrameCounts, type FrameKind, FrameOverhead, maxOverheadBytes } from './flood-guard.js';

type Frames = readonly (readonly [kind: FrameKind, atMs: number, times: number])[];

test.each<[string, Frames, number]>([
  ['at once', [['ping', 0, 1_001]], 1_001],
  [
    'in ten seconds',
    [
      ['ping', 0, 600],
      ['ping', 9_500, 600],
    ],
    1_200,
  ],
  [
    'across two windows',
    [
      ['ping', 9_000, 600],
      ['ping', 11_000, 600],
    ],
    1_200,
  ],
  [
    'slowly',
    [
      ['ping', 0, 600],
      ['ping', 10_000, 600],
    ],
    600,
  ],
  [
    'after a long silence',
    [
      ['ping', 0, 900],
      ['ping', 3_600_000, 1],
    ],
    1,
  ],
  [
    'of several kinds',
    [
      ['ping', 0, 600],
      ['reset', 0, 600],
      ['settings', 0, 600],
    ],
    600,
  ],
])('counts frames that arrive %s', (_name, frames, expected) => {
  const counts = new FrameCounts();
  let count = 0;
  for (const [kind, atMs, times] of frames) {
    for (let time = 0; time < times; time++) count = counts.count(kind, atMs);
  }
  expect(count).toBe(expected);
});

type Step = readonly [read: number, written: number, weighed: number];

test.each<[string, readonly Step[], boolean]>([
  ['nothing', [[0, 0, 0]], false],
  ['the most bytes', [[maxOverheadBytes, 0, 0]], false],
  ['more at once', [[maxOverheadBytes + 1, 0, 0]], true],
  ['more in small steps', Array.from({ length: 30 }, () => [2_500, 0, 0] as const), true],
  ['as much in a minute', Array.from({ length: 240 }, () => [1_500, 0, 0] as const), false],
  ['bodies', [[50_000_000, 0, 50_000_000]], false],
  ['a window for each small frame', [[maxOverheadBytes * 2, maxOverheadBytes * 2, 0]], false],
  // Bytes of an earlier request do not offset later overhead.
  [
    'much after an upload',
    [
      [1_000, 0, 9_000_000],
      [maxOverheadBytes + 1, 0, 0],
    ],
    true,
  ],
])('an overhead of %s', (_name, steps, expected) => {
  const traffic = { bytesRead: 0, bytesWritten: 0 };
  const overhead = new FrameOverhead(traffic);
  const found = steps.map(([read, written, weighed]) => {
    traffic.bytesRead += read;
    traffic.bytesWritten += written;
    overhead.weigh(weighed);
    return overhead.isTooMuch();
  });
  expect(found.includes(true)).toBe(expected);
});
