import { expect, test } from 'vitest';
import { parseApiKey } from './scheme.js';

test.each(['k', 'sk_live-1.2~3', "!#$&'()*+-./:<=>?@[]^_`{|}~"])('%s is an API key', (text) => {
  expect(parseApiKey(text)).toBe(text);
});

test.each(['', 'a b', 'a"', 'a,b', 'a;b', 'a\\b', 'a%20', 'é', 'a\n'])(
  '%j is not an API key',
  (text) => {
    expect(() => parseApiKey(text)).toThrow(/printable ASCII/);
  },
);
