import { expect, test } from 'vitest';
import { type ComparedRequest, isAfterResponse, isSameRequest } from './exchange.js';

test.each([
  ['before the response', 9, 10, false],
  ['as the response ends', 10, 10, true],
  ['after the response', 11, 10, true],
  ['without a response', 11, undefined, false],
] as const)('%s', (_name, arrivedAtMs, answeredAtMs, expected) => {
  const response = answeredAtMs === undefined ? {} : { answeredAtMs };
  expect(isAfterResponse({ arrivedAtMs }, response)).toBe(expected);
});

const request: ComparedRequest = { method: 'POST', target: '/a?b', body: 'x' };

test.each<[string, Partial<ComparedRequest>, Partial<ComparedRequest>, boolean | null]>([
  ['the same', {}, {}, true],
  ['another method', {}, { method: 'PUT' }, false],
  ['another query', {}, { target: '/a?c' }, false],
  ['another body', {}, { body: 'y' }, false],
  ['an unknown body', {}, { body: null }, null],
  ['other credentials', {}, { authorization: 'b' }, false],
  ['one key, another body', { idempotencyKey: 'k' }, { idempotencyKey: 'k', body: 'y' }, true],
  ['another key, the same body', { idempotencyKey: 'k' }, { idempotencyKey: 'l' }, true],
  ['another key and body', { idempotencyKey: 'k' }, { idempotencyKey: 'l', body: 'y' }, false],
])('%s', (_name, one, other, expected) => {
  expect(isSameRequest({ ...request, ...one }, { ...request, ...other })).toBe(expected);
});
