import { expect, test } from 'vitest';
import { endAfterUse, latestEnd, type Session } from './session.js';

const hour = 60 * 60 * 1000;
const session: Session = {
  username: 'ada',
  startedAtMs: 0,
  amr: ['pwd'],
  isRemembered: false,
  generation: 0,
};

test.each<[name: string, change: Partial<Session>, usedAtMs: number, endsAtMs: number]>([
  ['expires after half an hour', {}, 0, hour / 2],
  ['is prolonged by use', {}, hour, 1.5 * hour],
  ['expires after twelve hours in any case', {}, 11.9 * hour, 12 * hour],
  ['that is remembered expires after thirty days', { isRemembered: true }, hour, 30 * 24 * hour],
  ['without its code expires after five minutes', { isHalf: true }, 0, hour / 12],
  ['without its code is never remembered', { isHalf: true, isRemembered: true }, 0, hour / 12],
])('a session %s', (_name, change, usedAtMs, endsAtMs) => {
  expect(endAfterUse({ ...session, ...change }, usedAtMs)).toBe(endsAtMs);
});

test('the latest end of a session is reported', () => {
  expect(latestEnd(session)).toBe(12 * hour);
});
