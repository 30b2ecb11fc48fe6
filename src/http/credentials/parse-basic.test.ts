import { expect, test } from 'vitest';
import { parseBasic } from './parse-basic.js';
import { isSameUser } from './user-credentials.js';

const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');

test.each([
  [
    'RFC 7617 section 2',
    'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    { username: 'Aladdin', password: 'open sesame' },
  ],
  ['RFC 7617 section 2.1', 'Basic dGVzdDoxMjPCow==', { username: 'test', password: '123£' }],
  ['the scheme in any case', 'bAsIc YTpi', { username: 'a', password: 'b' }],
  ['spaces around', 'Basic   YTpi ', { username: 'a', password: 'b' }],
  ['a colon in the password', `Basic ${base64('a:b:c')}`, { username: 'a', password: 'b:c' }],
  ['an empty name and password', `Basic ${base64(':')}`, { username: '', password: '' }],
  [
    'Object.prototype as names',
    `Basic ${base64('__proto__:x')}`,
    { username: '__proto__', password: 'x' },
  ],
])('%s is parsed', (_name, header, expected) => {
  expect(parseBasic(header)).toEqual(expected);
});

test.each([
  ['no header', undefined, /The Authorization header is missing/],
  ['an empty header', '', /word Basic/],
  ['another scheme', 'Bearer YTpi', /word Basic/],
  ['a scheme that only begins so', 'Basics YTpi', /word Basic/],
  ['a tab for the space', 'Basic\tYTpi', /word Basic/],
  ['the scheme alone', 'Basic', /Nothing follows/],
  ['the scheme and spaces', 'Basic   ', /Nothing follows/],
  ['no base64', 'Basic a:b', /not base64/],
  ['base64 without its padding', 'Basic YTpiYg', /not base64/],
  ['base64url', `Basic ${Buffer.from('a:~~~???').toString('base64url')}`, /not base64/],
  ['bits beyond the last byte', 'Basic YTpiYh==', /not base64/],
  ['two tokens', 'Basic YTpi YTpi', /not base64/],
  ['text without a colon', `Basic ${base64('ab')}`, /no colon/],
  ['Latin-1', `Basic ${base64(new Uint8Array([0x61, 0x3a, 0xa3]))}`, /not UTF-8/],
  ['a line feed at the end', `Basic ${base64('a:b\n')}`, /control character/],
  ['a NUL in the name', `Basic ${base64('a\0:b')}`, /control character/],
])('%s is rejected with the reason', (_name, header, fault) => {
  expect(parseBasic(header)).toEqual({ fault: expect.stringMatching(fault) });
});

test.each([
  ['the same', 'a', 'b', true],
  ['another password', 'a', 'c', false],
  ['another name', 'c', 'b', false],
  ['another case', 'A', 'b', false],
  ['a password that begins alike', 'a', 'bb', false],
  ['nothing', '', '', false],
])('%s: a user matches only if both parts are right', (_name, username, password, expected) => {
  expect(isSameUser({ username, password }, { username: 'a', password: 'b' })).toBe(expected);
});

test('names and passwords are compared in Unicode normal form C', () => {
  const composed = { username: 'J\u00e4son', password: '\u00e9' };
  const decomposed = { username: 'Ja\u0308son', password: 'e\u0301' };
  expect(isSameUser(decomposed, composed)).toBe(true);
});
