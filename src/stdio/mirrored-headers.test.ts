import { expect, test } from 'vitest';
import { decodeHeader, isMirrored } from './mirrored-headers.js';

test.each<[string, string, string | undefined]>([
  ['a plain value', 'us-west1', 'us-west1'],
  ['an encoded value', '=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
  ['an encoded value with spaces', '=?base64?IHBhZGRlZCA=?=', ' padded '],
  ['an encoded sentinel', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
  ['wrong padding', '=?base64?SGVsbG8?=', undefined],
  ['wrong characters', '=?base64?SGVs!!!bG8=?=', undefined],
  ['bytes that are no UTF-8', '=?base64?/w==?=', undefined],
  ['a prefix in another letter case', '=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
  ['letters outside of ASCII', 'Zürich', undefined],
  ['no end', '=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
])('%s', (_name, header, expected) => {
  expect(decodeHeader(header)).toBe(expected);
});

test.each<[string, string | number | boolean, boolean]>([
  ['42', 42, true],
  ['42.0', 42, true],
  ['43', 42, false],
  ['', 0, false],
  ['true', true, true],
  ['True', true, false],
  ['a', 'a', true],
  ['A', 'a', false],
])('header %j mirrors %j: %s', (header, value, expected) => {
  expect(isMirrored(header, value)).toBe(expected);
});
