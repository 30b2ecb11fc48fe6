import { expect, test } from 'vitest';
import {
  type CookieToSet,
  cookieFaults,
  coversPath,
  sentCookies,
  setCookieHeader,
} from './set-cookie.js';

const plain = { name: 'a', value: 'b' };

test.each([
  ['a name and a value', plain, 'a=b'],
  ['an empty value', { name: 'a', value: '' }, 'a='],
  [
    'every attribute',
    {
      ...plain,
      path: '/x',
      domain: 'example.com',
      maxAge: 60,
      expires: 0,
      secure: true,
      httpOnly: true,
      sameSite: 'None',
      partitioned: true,
    },
    'a=b; Path=/x; Domain=example.com; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; HttpOnly; SameSite=None; Partitioned',
  ],
  ['switches that are off', { ...plain, secure: false, httpOnly: false }, 'a=b'],
  ['an age below zero', { ...plain, maxAge: -1 }, 'a=b; Max-Age=-1'],
] satisfies [string, CookieToSet, string][])('writes %s', (_name, cookie, expected) => {
  expect(setCookieHeader(cookie)).toBe(expected);
});

test.each([
  ['a plain cookie', plain, []],
  ['a name that is not a token', { name: 'a b', value: 'c' }, ['name']],
  ['no name', { name: '', value: 'c' }, ['name']],
  ['a semicolon in the value', { name: 'a', value: 'b; Path=/' }, ['value']],
  ['a line break', { name: 'a', value: 'b\r\nX: y' }, ['value']],
  ['not ASCII', { name: 'a', value: 'é' }, ['value']],
  ['attributes', { ...plain, path: '/;x', domain: 'a\n' }, ['path', 'domain']],
] satisfies [string, CookieToSet, string[]][])('%s: faults %j', (_name, cookie, expected) => {
  expect(cookieFaults(cookie).map(({ field }) => field)).toEqual(expected);
});

test.each([
  ['/', '/a/b', true],
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a/', '/a/b', true],
  ['/a/', '/a', false],
  ['/a', '/ab', false],
  ['/A', '/a', false],
])('the path %s covers %s: %s', (cookiePath, path, expected) => {
  expect(coversPath(cookiePath, path)).toBe(expected);
});

test.each([
  ['none', [], []],
  ['two', ['a=1; b=2'], ['a=1', 'b=2']],
  ['a name twice, in order', ['a=2; a=1'], ['a=2', 'a=1']],
  ['an equals sign in a value', ['a=b=c'], ['a=b=c']],
  ['no equals sign', ['lonely'], ['=lonely']],
  ['no name', ['=x'], ['=x']],
  ['quotes as they are', ['a="b c"'], ['a="b c"']],
  ['nothing between semicolons', ['a=1;;  ;b=2;'], ['a=1', 'b=2']],
  ['several headers', ['a=1', 'b=2; c=3'], ['a=1', 'b=2', 'c=3']],
])('parses %s', (_name, headers, expected) => {
  expect(sentCookies(headers).map(({ name, value }) => `${name}=${value}`)).toEqual(expected);
});
