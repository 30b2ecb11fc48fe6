import { expect, test } from 'vitest';
import { decodeFormText, parseForm } from './form.js';

test.each([
  ['nothing', '', []],
  ['a pair', 'a=1', [['a', '1']]],
  ['escapes', 'a+b=%C3%A9+%26', [['a b', 'é &']]],
  ['a parameter without a value, as left out', 'a=&b&c=1', [['c', '1']]],
  [
    'prototype keys',
    '__proto__=1&constructor=2',
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
])('a form of %s is parsed', (_name, text, expected) => {
  expect([...(parseForm(text) as Map<string, string>)]).toEqual(expected);
});

test.each([
  ['a=1&a=1', /a is repeated/],
  ['a=1&b=2&a=', /a is repeated/],
  ['a=&a=1', /a is repeated/],
  ['%61=1&a=2', /a is repeated/],
  ['"<b>"=1&"<b>"=2', /\?\?b\?\? is repeated/],
])('%s is rejected', (text, fault) => {
  expect(parseForm(text)).toEqual({ fault: expect.stringMatching(fault) });
});

test.each([
  ['a%3Ab+c', 'a:b c'],
  ['%C3%A9', 'é'],
  ['plain', 'plain'],
  ['%', undefined],
  ['%zz', undefined],
  ['%C3', undefined],
])('%s decodes to %s', (text, expected) => {
  expect(decodeFormText(text)).toBe(expected);
});
