import { expect, test } from 'vitest';
import { FloodGuard, type FrameKind } from './flood-guard.js';

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
])('counts frames that come %s', (_name, frames, expected) => {
  const guard = new FloodGuard();
  let count = 0;
  for (const [kind, atMs, times] of frames) {
    for (let time = 0; time < times; time++) count = guard.count(kind, atMs);
  }
  expect(count).toBe(expected);
});
