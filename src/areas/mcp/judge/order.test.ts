import { expect, test } from 'vitest';
import { orderOf } from './order.js';

const responded = { respondedAtMs: 1000, connection: 'a' };

test.each([
  ['sent before the response', 999, 'a', false, 'before'],
  ['on the same connection', 1000, 'a', false, 'after'],
  ['on another connection, at once', 1049, 'b', false, 'crossing'],
  ['on another connection, later', 1050, 'b', false, 'after'],
  ['on the same connection of HTTP/2, at once', 1049, 'a', true, 'crossing'],
  ['on the same connection of HTTP/2, later', 1050, 'a', true, 'after'],
] as const)('%s', (_name, sentAtMs, connection, isMultiplexed, expected) => {
  expect(orderOf({ sentAtMs, connection, isMultiplexed }, responded)).toBe(expected);
});
