import { expect, test } from 'vitest';
import { targetFault } from './check-target.js';

test.each([
  ['GET', '/'],
  ['GET', '//metrics'],
  ['GET', '/a?b=http://c'],
  ['GET', 'http://host'],
  ['GET', 'HTTP://host:80/a'],
  ['GET', 'https://[::1]?a=1'],
  ['OPTIONS', '*'],
  ['CONNECT', '/api/methods/any'],
])('%s %s is a target', (method, target) => {
  expect(targetFault(method, target)).toBeUndefined();
});

test.each([
  ['GET', '*', 'Only OPTIONS'],
  ['GET', '*metrics', 'begin with a slash'],
  ['OPTIONS', '*metrics', 'begin with a slash'],
  ['OPTIONS', '**', 'begin with a slash'],
  ['GET', 'metrics', 'begin with a slash'],
  ['GET', '', 'begin with a slash'],
  ['GET', 'ftp://host/metrics', 'begin with a slash'],
  ['GET', 'http:/metrics', 'begin with a slash'],
  ['GET', 'javascript:alert(1)', 'begin with a slash'],
  ['CONNECT', 'example.com:443', 'begin with a slash'],
  ['GET', 'http:///metrics', 'no user'],
  ['GET', 'http://me@host/', 'no user'],
  ['GET', 'http://host:65536/', 'up to 65535'],
  ['GET', 'http://a..b/', 'host name'],
  ['GET', '/a#b', '%23'],
  ['GET', 'http://host#b', '%23'],
])('%s %s is not a target', (method, target, expected) => {
  expect(targetFault(method, target)).toContain(expected);
});
