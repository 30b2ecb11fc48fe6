import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ArrivingBody, BodiesInFlight } from './bodies-in-flight.js';

test('all bytes are reserved up to the limit, and not one more', () => {
  const bodies = new BodiesInFlight(10);
  expect([bodies.reserve(7), bodies.reserve(4), bodies.reserve(3), bodies.reserve(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(bodies.total).toBe(10);
  expect(bodies.reserve(-4)).toBe(true);
  bodies.release(1);
  expect(bodies.reserve(6)).toBe(false);
  expect(bodies.reserve(5)).toBe(true);
});

describe('the pace', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  const silent = () => ({
    ...{ arrivedBytes: 0, pace: undefined, place: -1 },
    ...{ onTooSlow: vi.fn<() => void>(), destroy() {} },
  });
  /** Long enough for every body that is still watched to be too slow. */
  const wait = () => vi.advanceTimersByTime(10 * 60_000);

  test('a silent body is too slow, once', () => {
    const bodies = new BodiesInFlight(10);
    const body = silent();
    bodies.watch(body);
    wait();
    expect(body.onTooSlow).toHaveBeenCalledTimes(1);
  });

  test.each<[string, (bodies: BodiesInFlight, all: readonly ArrivingBody[]) => void]>([
    ['the last', (bodies, [, last]) => last && bodies.arrived(last)],
    ['the first', (bodies, [first]) => first && bodies.arrived(first)],
  ])('of two bodies, %s is not watched after it has arrived', (which, arrive) => {
    const bodies = new BodiesInFlight(10);
    const all = [silent(), silent()] as const;
    for (const body of all) bodies.watch(body);
    arrive(bodies, all);
    wait();
    const calls = all.map(({ onTooSlow }) => onTooSlow.mock.calls.length);
    expect(calls).toEqual(which === 'the last' ? [1, 0] : [0, 1]);
  });

  test('a single body is not watched after it has arrived, and no timer remains', () => {
    const bodies = new BodiesInFlight(10);
    const body = silent();
    bodies.watch(body);
    bodies.arrived(body);
    wait();
    expect(body.onTooSlow).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a body that arrived after the first check is not watched', () => {
    const bodies = new BodiesInFlight(10);
    const body = silent();
    bodies.watch(body);
    vi.advanceTimersByTime(6_000);
    bodies.arrived(body);
    wait();
    expect(body.onTooSlow).not.toHaveBeenCalled();
  });
});
