import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { enterMount, rewriteTarget, shownPath } from './mount.js';
import { enterSandbox, sentTargetOf } from './sandbox-address.js';

function arriving(url: string): IncomingMessage {
  const request = { url } as IncomingMessage;
  enterSandbox(request);
  enterMount(request, '/json-server');
  return request;
}

test.each([
  ['/posts/1?a=b', '/json-server/posts/1?a=b'],
  ['/', '/json-server'],
  ['/?a', '/json-server?a'],
  ['/s/a/posts', '/json-server/posts'],
  ['/s/a', '/json-server'],
  ['http://h:3001/posts', 'http://h:3001/json-server/posts'],
  ['http://h:3001', '/json-server'],
  ['*', '*'],
])('%s is routed to %s', (sent, routed) => {
  const request = arriving(sent);
  expect([request.url, sentTargetOf(request)]).toEqual([routed, sent]);
});

test('a path of the service is shown without the prefix', () => {
  const request = arriving('/posts');
  expect(shownPath(request, '/json-server/posts')).toBe('/posts');
  expect(shownPath(request, '/json-server')).toBe('/');
  expect(shownPath({ url: '/x' } as IncomingMessage, '/json-server/posts')).toBe(
    '/json-server/posts',
  );
});

test('a rewritten target keeps what was sent', () => {
  const request = arriving('/api/posts');
  rewriteTarget(request, '/json-server/posts');
  expect([request.url, sentTargetOf(request)]).toEqual(['/json-server/posts', '/api/posts']);
  expect(shownPath(request, '/json-server/posts')).toBe('/posts');
  const plain = { url: '/a' } as IncomingMessage;
  rewriteTarget(plain, '/b');
  expect([plain.url, sentTargetOf(plain)]).toEqual(['/b', '/a']);
  expect(shownPath(plain, '/b')).toBe('/b');
});
