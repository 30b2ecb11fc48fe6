import { expect, test } from 'vitest';
import { judgeBuilds } from '../../lab/compare/judge-builds.js';

const turn = { ourRate: 1000, theirRate: 1000, ourCost: 20, theirCost: 20 };
const costing = (...costs: number[]) => costs.map((ourCost) => ({ ...turn, ourCost }));

test.each([
  ['the same cost', costing(20), true],
  ['3 % more', costing(20.6), true],
  ['4 % more', costing(20.8), false],
  ['a single turn that was disturbed', costing(20, 30, 20), true],
  ['two of three turns', costing(21, 30, 20), false],
  [
    'fewer requests at the same cost, as when the machine is busy',
    [{ ...turn, ourRate: 500 }],
    true,
  ],
  [
    'fewer requests where no processor time is told',
    [{ ...turn, ourRate: 950, ourCost: Number.NaN }],
    false,
  ],
])('%s', (_name, turns, isAsFast) => {
  expect(judgeBuilds(turns).isAsFast).toBe(isAsFast);
});

test('tells the median of the ratios and how far they lie apart', () => {
  const { costs } = judgeBuilds(costing(18, 20, 22));
  expect(costs).toEqual({ median: 1, least: 0.9, most: 1.1 });
});
