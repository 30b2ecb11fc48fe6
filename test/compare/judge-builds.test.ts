import { expect, test } from 'vitest';
import { judgeBuilds } from '../../lab/compare/judge-builds.js';

const theirs = { requestsPerSecond: 1000, microseconds: 20 };
const costing = (...costs: number[]) =>
  costs.map((microseconds) => ({ ours: { ...theirs, microseconds }, theirs }));

test.each([
  ['the same cost', costing(20), true],
  ['3 % more', costing(20.6), true],
  ['4 % more', costing(20.8), false],
  ['one turn that was disturbed', costing(20, 30, 20), true],
  ['two of three turns', costing(21, 30, 20), false],
  [
    'fewer requests at the same cost, as when the machine is busy',
    [{ ours: { ...theirs, requestsPerSecond: 500 }, theirs }],
    true,
  ],
  [
    'fewer requests where the system does not report processor time',
    [{ ours: { requestsPerSecond: 950, microseconds: Number.NaN }, theirs }],
    false,
  ],
])('%s', (_name, turns, isAsFast) => {
  expect(judgeBuilds(turns).isAsFast).toBe(isAsFast);
});

test('returns the median of the ratios and their spread', () => {
  const { costs } = judgeBuilds(costing(18, 20, 22));
  expect(costs).toEqual({ median: 1, least: 0.9, most: 1.1 });
});
