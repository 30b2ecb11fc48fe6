import { expect, test } from 'vitest';
import { Pace } from './pace.js';

const kibibyte = 1024;

test.each([
  ['nothing has moved, but the window is not over', [[29_999, 0, false]]],
  ['nothing has moved in a window', [[30_000, 0, true]]],
  ['a byte less than a KiB a second has moved', [[30_000, 30 * kibibyte - 1, true]]],
  ['a KiB a second has moved', [[30_000, 30 * kibibyte, false]]],
  ['late looks count the time that has passed', [[60_000, 59 * kibibyte, true]]],
  [
    'much has moved at first and nothing since',
    [
      [30_000, 900 * kibibyte, false],
      [59_999, 900 * kibibyte, false],
      [60_000, 900 * kibibyte, true],
    ],
  ],
  [
    'much has moved at first, and a little in each look since',
    [
      [5_000, 900 * kibibyte, false],
      [20_000, 905 * kibibyte, false],
      [34_999, 910 * kibibyte, false],
      [35_000, 910 * kibibyte, true],
    ],
  ],
  [
    'just enough moves in whatever window is looked at',
    [
      [15_000, 15 * kibibyte, false],
      [30_000, 30 * kibibyte, false],
      [45_000, 45 * kibibyte, false],
      [60_000, 60 * kibibyte, false],
    ],
  ],
] as const)('%s', (_what, looks) => {
  const pace = new Pace(500, 1_000_000);
  for (const [elapsedMs, moved, isTooSlow] of looks) {
    expect(pace.isTooSlow(500 + moved, 1_000_000 + elapsedMs)).toBe(isTooSlow);
  }
});
