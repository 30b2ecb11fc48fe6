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
  ['ends after half an hour', {}, 0, hour / 2],
  ['goes on when it is used', {}, hour, 1.5 * hour],
  ['ends after twelve hours all the same', {}, 11.9 * hour, 12 * hour],
  ['that is remembered ends after thirty days', { isRemembered: true }, hour, 30 * 24 * hour],
  ['without its code ends after five minutes', { isHalf: true }, 0, hour / 12],
  ['without its code is never remembered', { isHalf: true, isRemembered: true }, 0, hour / 12],
])('a session %s', (_name, change, usedAtMs, endsAtMs) => {
  expect(endAfterUse({ ...session, ...change }, usedAtMs)).toBe(endsAtMs);
});

test('what ends a session at last is told', () => {
  expect(latestEnd(session)).toBe(12 * hour);
});
