import { expect, test } from 'vitest';
import { nearestPaths } from './nearest-paths.js';

const suggest = nearestPaths([
  '/',
  '/my',
  '/graphql',
  '/api/Books',
  '/api/Books/:id',
  '/api/Books/count',
  '/api/Events',
  '/api/methods/get',
  '/api/methods/put',
  '/api/posts',
  '/api/auth/basic/:user/:password',
  '/assets/:file',
  '/api/webhooks/:bin/*',
  '/httpbin/get',
  '/httpbin/post',
  '/httpbin/status/:codes',
  '/httpbin/anything/*',
]);

test.each<[string, string, readonly string[]]>([
  ['a letter left out', '/api/Book', ['/api/Books']],
  ['a letter more', '/graphqll', ['/graphql']],
  ['in another case', '/API/bok', ['/api/Books']],
  ['without /api', '/books', ['/api/Books']],
  ['without its first segment', '/get', ['/httpbin/get']],
  ['of which only the first segment is left out, and no others', '/Get', ['/httpbin/get']],
  [
    'of which only the first segment is left out, and none that is near',
    '/post',
    ['/httpbin/post'],
  ],
  ['for many segments of a wildcard', '/anything/a/b/c/d/e', ['/httpbin/anything/a/b/c/d/e']],
  ['misspelled, without its first segment', '/statsu/418', ['/httpbin/status/418']],
  ['with the segments of the caller', '/api/Book/7', ['/api/Books/7']],
  ['for a wildcard', '/httpbin/anythin/a/b', ['/httpbin/anything/a/b']],
  ['for a wildcard, without its first segment', '/anything/a', ['/httpbin/anything/a']],
  ['spelled out, and never itself', '/api/Books/conut', ['/api/Books/count']],
  ['spelled out before parameters', '/api/Bookz/count', ['/api/Books/count']],
  ['several', '/api/methods/gut', ['/api/methods/get', '/api/methods/put']],
  ['behind several parameters', '/api/auth/basik/a/b', ['/api/auth/basic/a/b']],
  ['nothing that begins in another way, without its first segment', '/nothing', []],
  ['nothing that is far', '/nowhere', []],
  ['nothing where only a parameter would remain', '/photo', []],
  ['nothing that is short', '/me', []],
  ['nothing for parameters alone', '/x/y', []],
  ['nothing for the root', '/', []],
  ['nothing for a long path', `/api/Books/${'x'.repeat(200)}`, []],
])('%s', (_what, path, expected) => {
  const found = suggest(path);
  expect(found).toEqual(expected);
});
