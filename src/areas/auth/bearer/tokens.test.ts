import { expect, test } from 'vitest';
import { parseBearerTokens } from './tokens.js';

test('a list of three tokens has one each for admin, user and read-only', () => {
  expect(parseBearerTokens('a.b~c+d/e==,u-1,r_2')).toEqual({
    admin: 'a.b~c+d/e==',
    user: 'u-1',
    readOnly: 'r_2',
  });
});

test.each(['', 'a', 'a,b', 'a,b,c,d', 'a,a,b', 'a,,c', 'a, b,c', 'a=b,c,d', 'é,b,c'])(
  '%j is not a list of three bearer tokens',
  (text) => {
    expect(() => parseBearerTokens(text)).toThrow(/three different tokens/);
  },
);
