import { expect, test } from 'vitest';
import type { CookieToSet } from '#http/cookies/set-cookie.js';
import { cookieWarnings, coversHost } from './cookie-warnings.js';

const plain = { name: 'a', value: 'b' };
const secure = { value: 'b', secure: true };
const http = { host: 'www.example.com', isHttps: false };
const https = { ...http, isHttps: true };

test.each([
  ['a plain cookie', plain, http, []],
  ['Secure over https', { name: 'a', ...secure }, https, []],
  ['Secure over http', { name: 'a', ...secure }, http, [/Secure over http/]],
  ['a correct __Secure-', { name: '__Secure-a', ...secure }, https, []],
  ['__Secure- without Secure', { name: '__Secure-a', value: 'b' }, https, [/requires Secure/]],
  ['a correct __Host-', { name: '__Host-a', ...secure, path: '/' }, https, []],
  ['__Host- without a path', { name: '__Host-a', ...secure }, https, [/Path=\//]],
  [
    '__Host- with every error, in another letter case',
    { name: '__hOST-a', value: 'b', path: '/x', domain: 'example.com' },
    https,
    [/Secure/, /Path=\//, /no Domain/],
  ],
  ['__Http- without HttpOnly', { name: '__Http-a', ...secure }, https, [/HttpOnly/]],
  ['only SameSite=None', { ...plain, sameSite: 'None' }, https, [/SameSite=None requires/]],
  ['SameSite=None with Secure', { name: 'a', ...secure, sameSite: 'None' }, https, []],
  ['only Partitioned', { ...plain, partitioned: true }, https, [/Partitioned requires/]],
  ["another host's domain", { ...plain, domain: 'example.org' }, https, [/does not cover/]],
  ['the parent domain', { ...plain, domain: '.Example.com' }, https, []],
  ['a path without a slash', { ...plain, path: 'x' }, https, [/begin with a slash/]],
  ['too many bytes', { name: 'a', value: 'b'.repeat(4096) }, https, [/4096 bytes/]],
  ['a long path', { ...plain, path: `/${'b'.repeat(1024)}` }, https, [/ignores Path/]],
  ['a long lifetime', { ...plain, maxAge: 40_000_000 }, https, [/400 days/]],
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
