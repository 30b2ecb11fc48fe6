import { expect, test } from 'vitest';
import { digestOf, wantedDigest } from './digest-fields.js';

test.each([
  ['one', 'sha-256=1', 'sha-256'],
  ['the one of more weight', 'sha-256=3, sha-512=10', 'sha-512'],
  ['the first of equals', 'sha-512=5, sha-256=5', 'sha-512'],
  ['one beside unknown ones', 'unixsum=10, md5=9, sha-256=1', 'sha-256'],
  ['a rejection', 'sha-256=0', undefined],
  ['no header', undefined, undefined],
  ['unknown ones alone', 'md5=10', undefined],
  ['a weight beyond 10', 'sha-256=11', undefined],
  ['a weight that is no whole number', 'sha-256=0.5', undefined],
  ['no weight', 'sha-256', undefined],
  ['what is malformed', 'sha-256=1,,', undefined],
  ['capitals, which no key has', 'SHA-256=1', undefined],
  ['a name that every object has', 'constructor=1', undefined],
])('Want-Repr-Digest with %s', (_name, header, expected) => {
  expect(wantedDigest(header)).toBe(expected);
});

test('a digest is a byte sequence under the name of its algorithm', () => {
  // RFC 9530 appendix B.1.
  expect(digestOf('sha-256', Buffer.from('{"hello": "world"}\n'))).toBe(
    'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
  );
});
