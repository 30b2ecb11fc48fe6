import { expect, test } from 'vitest';
import { readScope } from './read-scope.js';

const rule = { allowed: ['read', 'write', 'email'], fault: 'The scope is wrong.' };

test.each([
  [undefined, ['read', 'write', 'email']],
  ['read', ['read']],
  ['write read', ['write', 'read']],
  ['read read', ['read']],
])('of the requested scope %s, %j is granted', (scope, expected) => {
  expect(readScope(scope, rule)).toEqual(expected);
});

test('without a scope, only the default scopes are granted', () => {
  expect(readScope(undefined, { ...rule, usual: ['read'] })).toEqual(['read']);
});

test.each(['admin', 'read admin', 'read  write', ' read', 'READ', 'read,write', '__proto__', ''])(
  'the scope %j is rejected',
  (scope) => {
    expect(() => readScope(scope, rule)).toThrow('The scope is wrong.');
  },
);
