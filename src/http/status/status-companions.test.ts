import { expect, test } from 'vitest';
import { chooseStatus, parseStatusChoices } from './status-choice.js';
import { isBodiless, statusCompanions } from './status-companions.js';

const context = { location: '/there', allow: ['GET', 'HEAD'], size: 10, isHttp11: true };

test.each([
  [200, {}],
  [201, { location: '/there' }],
  [204, {}],
  [206, { 'content-range': 'bytes 0-9/10' }],
  [300, { location: '/there' }],
  [302, { location: '/there' }],
  [304, {}],
  [308, { location: '/there' }],
  [399, { location: '/there' }],
  [401, { 'www-authenticate': 'Basic realm="practice"' }],
  [405, { allow: 'GET, HEAD' }],
  [407, { 'proxy-authenticate': 'Basic realm="practice"' }],
  [416, { 'content-range': 'bytes */10' }],
  [426, { upgrade: 'HTTP/2.0', connection: 'Upgrade' }],
  [429, { 'retry-after': '1' }],
  [503, { 'retry-after': '1' }],
])('%i has the headers %j', (status, expected) => {
  expect(statusCompanions(status, context)).toEqual(expected);
});

test('a chosen Retry-After applies to any status', () => {
  for (const status of [200, 206, 301, 401, 413, 416, 426, 429, 503]) {
    const headers = statusCompanions(status, { ...context, retryAfter: '7' });
    expect(headers['retry-after'], String(status)).toBe('7');
  }
});

test('HTTP/1.0 has no connection options, and an empty body has no parts', () => {
  expect(statusCompanions(426, { ...context, isHttp11: false })).toEqual({ upgrade: 'HTTP/2.0' });
  expect(statusCompanions(206, { ...context, size: 0 })).toEqual({});
});

test('204, 205 and 304 have no body', () => {
  expect([200, 204, 205, 206, 304, 404].filter(isBodiless)).toEqual([204, 205, 304]);
});

test.each([
  ['one', '404', [[404, 1]]],
  [
    'a list',
    '200,503',
    [
      [200, 1],
      [503, 1],
    ],
  ],
  [
    'weights',
    '200:3, 503:0.5',
    [
      [200, 3],
      [503, 0.5],
    ],
  ],
  [
    'one that never comes',
    '200:1,503:0',
    [
      [200, 1],
      [503, 0],
    ],
  ],
  ['no weight at all', '200:0', undefined],
  ['an interim status', '103', undefined],
  ['more than there is', '600', undefined],
  ['a name', 'ok', undefined],
  ['an empty place', '200,,503', undefined],
  ['a weight below zero', '200:-1', undefined],
  ['too many', `${'200,'.repeat(20)}200`, undefined],
] as const)('%s: %s', (_name, text, expected) => {
  const choices = parseStatusChoices(text);
  expect(choices?.map(({ status, weight }) => [status, weight])).toEqual(expected);
});

test.each([
  [0, 200],
  [0.74, 200],
  [0.75, 503],
  [0.999999, 503],
])('the draw %d of 3 to 1 is %i', (draw, expected) => {
  const choices = [
    { status: 200, weight: 3 },
    { status: 503, weight: 1 },
    { status: 404, weight: 0 },
  ];
  expect(chooseStatus(choices, draw)).toBe(expected);
});
