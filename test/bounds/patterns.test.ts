/** The memory of compiled patterns of schemas. */

import { expect, test } from 'vitest';
import { runAtOnce } from '../../src/base/run-steps.js';
import { CheckBudget } from '../../src/json-schema/budget.js';
import { matchesPattern, patternFault } from '../../src/json-schema/pattern.js';
import { patternParts } from '../../src/json-schema/pattern-parts.js';
import { list0 } from '../../src/kit/json-server/list-0.js';

/** The checks that matching a text needs; compiling the pattern needs more. */
class Spending extends CheckBudget {
  spent = 0;

  override spend(checks: number): void {
    this.spent += checks;
    super.spend(checks);
  }
}

function costOf(pattern: string): number {
  const budget = new Spending();
  matchesPattern('', pattern, budget);
  return budget.spent;
}

const pattern = (place: number) => `^a${String(place).padStart(6, '0')}$`;
const matching = 30;

test('of small patterns, as many are kept as 24 MiB hold with 128 KiB for the states of each', () => {
  // Each weighs 128 KiB, 8 KiB and 128 bytes an instruction, of which these have about ten.
  const fewest = Math.floor((24 * 1024) / (128 + 8 + 2));
  const most = Math.floor((24 * 1024) / (128 + 8));
  expect(costOf(pattern(0))).toBeGreaterThan(matching);
  expect(costOf(pattern(0))).toBe(matching);
  for (let place = 1; place < fewest; place++) costOf(pattern(place));
  // The least recently used is still known.
  expect(costOf(pattern(0))).toBe(matching);
  for (let place = 1; place <= most; place++) costOf(pattern(1_000 + place));
  expect(costOf(pattern(0))).toBeGreaterThan(matching);
});

test('a pattern has at most 1,000 characters', () => {
  const alternatives = (length: number) => `[${'a'.repeat(length - 2)}]`;
  expect(patternFault(alternatives(1000))).toBeUndefined();
  expect(patternFault(alternatives(1001))).toMatch(/at most 1000 characters/);
});

test('a pattern has at most 500 instructions', () => {
  const sizes = (count: number) => patternFault(`a{${count}}`);
  const largest = Array.from({ length: 700 }, (_, count) => count + 1).findLast(
    (count) => sizes(count) === undefined,
  );
  // Beside its letters, a program has three instructions.
  expect(largest).toBeGreaterThanOrEqual(490);
  expect(largest).toBeLessThanOrEqual(500);
  expect(sizes((largest ?? 0) + 1)).toMatch(/must be a smaller pattern/);
});

test('the patterns of a query of json-server have at most 1,000 parts together', () => {
  /** Has this many parts: 20, and 3 for each ten characters. */
  const patternOf = (parts: number) => `.${'a'.repeat(Math.floor((parts - 20) / 0.3) - 1)}`;
  const sizes = (last: number) => [...Array(7).fill(125), last].map(patternOf);
  const partsOf = (patterns: readonly string[]) =>
    patterns.reduce((sum, each) => sum + patternParts(each, true), 0);
  const filter = (patterns: readonly string[]) =>
    runAtOnce(list0([{ a: 'b' }], new Map([['a_like', patterns]]), 'http://localhost/c'));
  expect([partsOf(sizes(125)), partsOf(sizes(126))]).toEqual([1000, 1001]);
  expect(() => filter(sizes(125))).not.toThrow();
  expect(() => filter(sizes(126))).toThrow(/makes the patterns of this query too large/);
});
