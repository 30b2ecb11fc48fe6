import { expect, test } from 'vitest';
import {
  type CookieToSet,
  cookieFaults,
  cookieWarnings,
  coversHost,
  coversPath,
  sentCookies,
  setCookieHeader,
} from './set-cookie.js';

const plain = { name: 'a', value: 'b' };
const secure = { value: 'b', secure: true };

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
      expiresMs: 0,
      secure: true,
      httpOnly: true,
      sameSite: 'None',
      partitioned: true,
    },
    'a=b; Path=/x; Domain=example.com; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; HttpOnly; SameSite=None; Partitioned',
  ],
  ['switches that are off', { ...plain, secure: false, httpOnly: false }, 'a=b'],
  ['an age below zero', { ...plain, maxAge: -1 }, 'a=b; Max-Age=-1'],
] satisfies [string, CookieToSet, string][])('makes %s', (_name, cookie, expected) => {
  expect(setCookieHeader(cookie)).toBe(expected);
});

test.each([
  ['a plain cookie', plain, []],
  ['a name that is no token', { name: 'a b', value: 'c' }, ['name']],
  ['no name', { name: '', value: 'c' }, ['name']],
  ['a semicolon in the value', { name: 'a', value: 'b; Path=/' }, ['value']],
  ['a line break', { name: 'a', value: 'b\r\nX: y' }, ['value']],
  ['not ASCII', { name: 'a', value: 'é' }, ['value']],
  ['attributes', { ...plain, path: '/;x', domain: 'a\n' }, ['path', 'domain']],
] satisfies [string, CookieToSet, string[]][])('%s: faults %j', (_name, cookie, expected) => {
  expect(cookieFaults(cookie).map(({ field }) => field)).toEqual(expected);
});

const http = { host: 'www.example.com', isHttps: false };
const https = { ...http, isHttps: true };

test.each([
  ['a plain cookie', plain, http, []],
  ['Secure over https', { name: 'a', ...secure }, https, []],
  ['Secure over http', { name: 'a', ...secure }, http, [/Secure over http/]],
  ['__Secure- as it should be', { name: '__Secure-a', ...secure }, https, []],
  ['__Secure- without Secure', { name: '__Secure-a', value: 'b' }, https, [/demands Secure/]],
  ['__Host- as it should be', { name: '__Host-a', ...secure, path: '/' }, https, []],
  ['__Host- without a path', { name: '__Host-a', ...secure }, https, [/Path=\//]],
  [
    '__Host- with all that is wrong, in other letters',
    { name: '__hOST-a', value: 'b', path: '/x', domain: 'example.com' },
    https,
    [/Secure/, /Path=\//, /no Domain/],
  ],
  ['__Http- without HttpOnly', { name: '__Http-a', ...secure }, https, [/HttpOnly/]],
  ['SameSite=None alone', { ...plain, sameSite: 'None' }, https, [/SameSite=None demands/]],
  ['SameSite=None with Secure', { name: 'a', ...secure, sameSite: 'None' }, https, []],
  ['Partitioned alone', { ...plain, partitioned: true }, https, [/Partitioned demands/]],
  ["another host's domain", { ...plain, domain: 'example.org' }, https, [/does not cover/]],
  ['the domain above', { ...plain, domain: '.Example.com' }, https, []],
  ['a path without a slash', { ...plain, path: 'x' }, https, [/begin with a slash/]],
  ['too much', { name: 'a', value: 'b'.repeat(4096) }, https, [/4096 bytes/]],
  ['a long path', { ...plain, path: `/${'b'.repeat(1024)}` }, https, [/ignores Path/]],
  ['a long life', { ...plain, maxAge: 40_000_000 }, https, [/400 days/]],
  ['spaces in the value', { name: 'a', value: 'b c' }, https, [/spaces/]],
  ['a quoted value', { name: 'a', value: '"b"' }, https, []],
] satisfies [string, CookieToSet, typeof http, RegExp[]][])(
  'warns of %s',
  (_name, cookie, origin, expected) => {
    const warnings = cookieWarnings(cookie, origin);
    expect(warnings).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(warnings[index]).toMatch(pattern);
  },
);

test.each([
  ['example.com', 'example.com', true],
  ['.example.com', 'www.example.com', true],
  ['example.com', 'badexample.com', false],
  ['www.example.com', 'example.com', false],
  ['0.0.1', '127.0.0.1', false],
  ['', 'example.com', true],
])('the domain %j covers the host %s: %s', (domain, host, expected) => {
  expect(coversHost(domain, host)).toBe(expected);
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
])('reads %s', (_name, headers, expected) => {
  expect(sentCookies(headers).map(({ name, value }) => `${name}=${value}`)).toEqual(expected);
});
