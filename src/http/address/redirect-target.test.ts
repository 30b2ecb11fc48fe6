import { expect, test } from 'vitest';
import { checkRedirectTarget } from './redirect-target.js';

const base = 'http://localhost:3000/httpbin/redirect-to';
const check = (text: string, isPath = false) =>
  checkRedirectTarget(text, { parameter: 'url', base, isPath });

test.each([
  ['/', '/'],
  ['/httpbin/get?a b', '/httpbin/get?a%20b'],
  ['/a?b=c d&e=%20', '/a?b=c%20d&e=%20'],
  ['/žluť/안녕?x=é', '/%C5%BElu%C5%A5/%EC%95%88%EB%85%95?x=%C3%A9'],
  ['/a\u00a0b\u3000c', '/a%C2%A0b%E3%80%80c'],
  ['get', 'get'],
  ['?a=b', '?a=b'],
  ['../api', '../api'],
  ['//localhost:3000/x', '//localhost:3000/x'],
  ['HTTP://LocalHost:3000/x#y', 'HTTP://LocalHost:3000/x#y'],
])('%j becomes %j', (text, location) => {
  expect(check(text)).toBe(location);
});

test.each([
  ['', 'url is empty: send a path of this service; got "".'],
  ['/a\nb', 'url has the control character U+000A, which is invalid in URLs; got "/a\\nb".'],
  ['/\t/evil.example', /the control character U\+0009/],
  ['/\ud800', /the control character U\+D800/],
  [' //evil.example', /must not begin or end with white space/],
  ['/a\u00a0', /must not begin or end with white space/],
  ['/\\evil.example', /has a backslash/],
  ['http://evil.example/', /leads to http:\/\/evil\.example; redirects lead only to http/],
  ['//evil.example', /leads to http:\/\/evil\.example/],
  ['https:evil.example', /leads to https:\/\/evil\.example/],
  ['https://localhost:3000/', /leads to https:\/\/localhost:3000/],
  ['http://localhost:1/', /leads to http:\/\/localhost:1/],
  ['http://localhost:3000@evil.example/', /leads to http:\/\/evil\.example/],
  ['http://a:b@localhost:3000/', /no user name/],
  ['javascript:alert(1)', /has the scheme javascript:/],
  ['data:text/html,x', /has the scheme data:/],
  ['http://:1', /is not a valid URL/],
  [`/${'x'.repeat(8000)}`, /must be at most 8000 characters/],
])('%j is rejected with its reason', (text, reason) => {
  expect(() => check(text)).toThrow(reason);
});

test.each([
  ['api', /must be a path, which begins with a slash/],
  ['http://localhost:3000/', /must be a path/],
  ['//localhost:3000/', /begins with two slashes/],
])('%j is rejected where only paths are accepted', (text, reason) => {
  expect(() => check(text, true)).toThrow(reason);
});
