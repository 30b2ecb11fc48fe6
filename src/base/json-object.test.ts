import { expect, test } from 'vitest';
import { isObject } from './json-object.js';

test.each([
  ['an object', {}, true],
  ['an object without a prototype', Object.create(null), true],
  ['an array', [], false],
  ['null', null, false],
  ['a text', '{}', false],
  ['undefined', undefined, false],
])('%s', (_name, value, expected) => {
  expect(isObject(value)).toBe(expected);
});
