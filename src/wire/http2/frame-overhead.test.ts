import { expect, test } from 'vitest';
import { FrameOverhead, maxOverheadBytes } from './frame-overhead.js';

type Step = readonly [read: number, written: number, weighed: number];

test.each<[string, readonly Step[], boolean]>([
  ['nothing', [[0, 0, 0]], false],
  ['as much as may be', [[maxOverheadBytes, 0, 0]], false],
  ['more at once', [[maxOverheadBytes + 1, 0, 0]], true],
  ['more in turn', Array.from({ length: 30 }, () => [2_500, 0, 0] as const), true],
  ['as much in a minute', Array.from({ length: 240 }, () => [1_500, 0, 0] as const), false],
  ['bodies', [[50_000_000, 0, 50_000_000]], false],
  ['a word for each small frame', [[maxOverheadBytes * 2, maxOverheadBytes * 2, 0]], false],
  // What was weighed before does not pay for what comes after.
  [
    'much behind an upload',
    [
      [1_000, 0, 9_000_000],
      [maxOverheadBytes + 1, 0, 0],
    ],
    true,
  ],
])('%s', (_name, steps, expected) => {
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
