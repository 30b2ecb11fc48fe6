import { describe, expect, test } from 'vitest';
import { completePlan, type Fault, type Then } from './fault-plan.js';
import { type DrawnFault, type PlanCounts, takeStep } from './take-step.js';

function planOf(sequence: readonly Fault[], then: Then = 'pass', seed = 1, number = 1) {
  return completePlan({ rules: [{ sequence, then }], seed }, number, 0);
}

/** Returns the outcomes of a number of requests, in order. */
function run(plan: ReturnType<typeof planOf>, requests: number) {
  let counts: PlanCounts | undefined;
  return Array.from({ length: requests }, () => {
    const { value, result } = takeStep(plan, 0, counts);
    counts = value;
    if (result === 'stale') throw new Error('There is one plan.');
    return result;
  });
}

const a = { status: 500 };
const b = { status: 503 };

describe('a sequence', () => {
  test.each([
    ['ends', 'pass', [a, b], [a, b, undefined, undefined]],
    ['is repeated', 'repeat', [a, b], [a, b, a, b]],
    ['goes on with its last fault', 'last', [a, b], [a, b, b, b]],
    ['passes in between', 'pass', [a, {}, b], [a, undefined, b, undefined]],
    ['goes on passing', 'last', [a, {}], [a, undefined, undefined, undefined]],
  ] satisfies [string, Then, Fault[], (Fault | undefined)[]][])(
    '%s',
    (_name, then, sequence, expected) => {
      expect(run(planOf(sequence, then), 4).map(({ fault }) => fault)).toEqual(expected);
    },
  );

  test('counts faults, and not requests that passed', () => {
    expect(run(planOf([a, {}, b]), 4).map(({ act }) => act)).toEqual([1, 1, 2, 2]);
  });

  test('that is complete changes nothing any more', () => {
    const plan = planOf([a]);
    const ended = takeStep(plan, 0, undefined).value;
    expect(takeStep(plan, 0, ended).value).toBe(ended);
  });
});

describe('counts of another plan', () => {
  test('that is older start again', () => {
    const old = takeStep(planOf([a], 'pass', 1, 1), 0, undefined).value;
    const { value, result } = takeStep(planOf([b], 'pass', 1, 2), 0, old);
    expect(result).toEqual({ fault: b, act: 1 });
    expect(value).toEqual({ plan: 2, rules: [{ steps: 1, acts: 1 }] });
  });

  test('that is newer are unchanged', () => {
    const newer = takeStep(planOf([a], 'pass', 1, 2), 0, undefined).value;
    expect(takeStep(planOf([b], 'pass', 1, 1), 0, newer)).toEqual({
      value: newer,
      result: 'stale',
    });
  });
});

describe('chance', () => {
  const probable = planOf([{ probability: 0.3, fault: a }], 'repeat', 7);
  const hits = (plan: typeof probable, requests: number) =>
    run(plan, requests).filter(({ fault }) => fault !== undefined).length;

  test('acts as often as configured, and the same again with the same seed', () => {
    const outcomes = run(probable, 2000).map(({ fault }) => fault);
    expect(outcomes.filter(Boolean).length / 2000).toBeCloseTo(0.3, 1);
    expect(run(probable, 2000).map(({ fault }) => fault)).toEqual(outcomes);
    const other = planOf([{ probability: 0.3, fault: a }], 'repeat', 8);
    expect(run(other, 2000).map(({ fault }) => fault)).not.toEqual(outcomes);
  });

  test('never acts at 0 and always at 1', () => {
    expect(hits(planOf([{ probability: 0, fault: a }], 'repeat'), 500)).toBe(0);
    expect(hits(planOf([{ probability: 1, fault: a }], 'repeat'), 500)).toBe(500);
  });

  test('does not apply to the delay of the same step', () => {
    const plan = planOf([{ probability: 0.5, fault: { ...a, delayMs: 2 }, delayMs: 1 }], 'repeat');
    const outcomes = new Set(run(plan, 50).map(({ fault }) => JSON.stringify(fault)));
    expect(outcomes).toEqual(new Set(['{"delayMs":1}', '{"status":500,"delayMs":2}']));
  });
});

describe('a delay', () => {
  const delays = (delayMs: Fault['delayMs'], requests = 2000) =>
    run(planOf([{ ...(delayMs !== undefined && { delayMs }) }], 'repeat'), requests)
      .map(({ fault }) => (fault as DrawnFault).delayMs ?? Number.NaN)
      .sort((x, y) => x - y);

  test('of a number of milliseconds is exact', () => {
    expect(new Set(delays(25, 5))).toEqual(new Set([25]));
  });

  test('of a range is within the range', () => {
    const drawn = delays({ min: 100, max: 200 });
    expect(drawn[0]).toBeGreaterThanOrEqual(100);
    expect(drawn[0]).toBeLessThan(105);
    expect(drawn.at(-1)).toBeLessThanOrEqual(200);
    expect(drawn.at(-1)).toBeGreaterThan(195);
  });

  test('with median and 99th percentile has both', () => {
    const drawn = delays({ median: 100, p99: 1000 }, 20_000);
    expect(drawn[10_000]).toBeGreaterThan(95);
    expect(drawn[10_000]).toBeLessThan(105);
    expect(drawn[19_800]).toBeGreaterThan(900);
    expect(drawn[19_800]).toBeLessThan(1100);
    expect(drawn.at(-1)).toBeLessThanOrEqual(10_000);
  });

  test('whose median equals its 99th percentile is constant', () => {
    expect(new Set(delays({ median: 50, p99: 50 }, 100))).toEqual(new Set([50]));
  });
});
