import { expect, test } from 'vitest';
import { grantScope } from './grant-scope.js';

test.each([
  [undefined, 'read write profile email'],
  ['read', 'read'],
  ['write read', 'write read'],
  ['read read', 'read'],
])('asked for %s, the scope is %s', (asked, expected) => {
  expect(grantScope(asked)).toBe(expected);
});

test.each(['admin', 'read admin', 'read  write', ' read', 'READ', 'read,write', '__proto__'])(
  'the scope %j is rejected',
  (asked) => {
    expect(() => grantScope(asked)).toThrow(/one or more of read, write, profile, email/);
  },
);
