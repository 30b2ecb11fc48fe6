import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countRequest, isOpen, type RateWindow, secondsLeft } from './count-request.js';

const figures = { limit: 5, windowSeconds: 60 };
const start = 1_800_000_000_000;
const used = (count: number): RateWindow => ({ ...figures, used: count, endsAtMs: start + 60_000 });

describe('a request', () => {
  test.each<[string, RateWindow | undefined, number, boolean, number, number]>([
    // window before, now, accepted, used after, end after
    ['opens a window', undefined, start, true, 1, start + 60_000],
    ['is the second of its window', used(1), start + 1, true, 2, start + 60_000],
    ['is the fifth', used(4), start + 59_999, true, 5, start + 60_000],
    ['is the sixth', used(5), start + 59_999, false, 5, start + 60_000],
    ['comes as the window ends', used(5), start + 60_000, true, 1, start + 120_000],
    ['comes long after', used(2), start + 600_000, true, 1, start + 660_000],
  ])('that %s', (_case, window, nowMs, isAccepted, usedAfter, endsAtMs) => {
    const { value, expiresAtMs, result } = countRequest(window, nowMs, figures);
    expect(result.isAccepted).toBe(isAccepted);
    expect(value).toEqual({ ...figures, used: usedAfter, endsAtMs });
    expect(expiresAtMs).toBe(endsAtMs);
  });

  test('with other figures gets them in the next window', () => {
    const other = { limit: 2, windowSeconds: 1 };
    expect(countRequest(used(1), start, other).value).toEqual(used(2));
    expect(countRequest(used(1), start + 60_000, other).value).toEqual({
      ...other,
      used: 1,
      endsAtMs: start + 61_000,
    });
  });
});

test.each([
  [start, 60],
  [start + 1, 60],
  [start + 1000, 59],
  [start + 59_999, 1],
])('at %i the window has %i seconds left', (nowMs, expected) => {
  expect(secondsLeft(used(1), nowMs)).toBe(expected);
});

test('whatever the arrivals, each window accepts its limit and no more', () => {
  const arrivals = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 });
  const limits = fc.integer({ min: 1, max: 8 });
  const lengths = fc.integer({ min: 1, max: 90 });
  fc.assert(
    fc.property(arrivals, limits, lengths, (pauses, limit, windowSeconds) => {
      let window: RateWindow | undefined;
      let nowMs = start;
      // A reference implementation: times of accepted requests, and when the current window began.
      let beganMs = Number.NEGATIVE_INFINITY;
      let accepted: number[] = [];
      for (const pauseMs of pauses) {
        nowMs += pauseMs;
        if (nowMs - beganMs >= windowSeconds * 1000) {
          beganMs = nowMs;
          accepted = [];
        }
        const isExpected = accepted.length < limit;
        if (isExpected) accepted.push(nowMs);
        const { value, result } = countRequest(window, nowMs, { limit, windowSeconds });
        expect(result.isAccepted).toBe(isExpected);
        expect(result.window.used).toBe(accepted.length);
        expect(result.secondsLeft).toBeGreaterThanOrEqual(1);
        expect(result.secondsLeft).toBeLessThanOrEqual(windowSeconds);
        expect(isOpen(value, nowMs + result.secondsLeft * 1000)).toBe(false);
        window = value;
      }
    }),
  );
});
