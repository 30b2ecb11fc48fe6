import { expect, test } from 'vitest';
import {
  type Arrival,
  type ComparedRequest,
  identityOf,
  isAfterResponse,
  orderOf,
} from './exchange.js';

test.each<[string, Partial<Arrival>, ReturnType<typeof orderOf>]>([
  ['before the response', { timeMs: 99 }, 'before'],
  ['sent ahead', { timeMs: 200, beganAtMs: 99, connection: 'a' }, 'before'],
  [
    'sent ahead, in the millisecond of the response',
    { timeMs: 101, beganAtMs: 100.2, connection: 'a' },
    'before',
  ],
  ['as the response ends', { timeMs: 100 }, 'crossing'],
  ['soon after', { timeMs: 149 }, 'crossing'],
  ['on the same connection', { timeMs: 100, connection: 'a' }, 'after'],
  ['on another connection', { timeMs: 110, connection: 'b' }, 'crossing'],
  ['on a connection that was accepted before', { timeMs: 110, acceptedAtMs: 90 }, 'crossing'],
  ['on a later connection', { timeMs: 110, acceptedAtMs: 101 }, 'after'],
  ['long after', { timeMs: 150 }, 'after'],
])('%s', (_name, arrival, order) => {
  const next = { timeMs: 0, connectionReused: true, ...arrival };
  expect(isAfterResponse(next, 100)).toBe(order !== 'before');
  expect(orderOf(next, { connection: 'a', respondedAtMs: 100 })).toBe(order);
});

const request: ComparedRequest = { method: 'POST', target: '/a?b', body: 'x' };
const keyed = { ...request, key: 'k' };

test.each<[string, ComparedRequest, Partial<ComparedRequest>, boolean]>([
  ['the same', request, {}, true],
  ['another method', request, { method: 'PUT' }, false],
  ['another query', request, { target: '/a?c' }, false],
  ['another body', request, { body: 'y' }, false],
  ['other credentials', request, { authorization: 'b' }, false],
  ['one key, another body', keyed, { body: 'y' }, true],
  ['another key, the same body', keyed, { key: 'l' }, false],
  ['a key that is the body', request, { key: 'x' }, false],
])('%s', (_name, one, change, expected) => {
  expect(identityOf(one) === identityOf({ ...one, ...change })).toBe(expected);
});

test('by the body, keys are not compared', () => {
  expect(identityOf(keyed, 'body')).toBe(identityOf({ ...keyed, key: 'l' }, 'body'));
});
