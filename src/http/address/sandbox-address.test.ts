import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { enterSandbox, prefixOf, sentTargetOf } from './sandbox-address.js';
import { sandboxNameOf } from './sandbox-name.js';

function entered(url: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  enterSandbox(request);
  return request;
}

const secret = 'A-_0123456789abcdefghi';

test.each([
  ['/s/a/api/Books', '/api/Books', 'a'],
  ['/s/a', '/', 'a'],
  ['/s/a/', '/', 'a'],
  ['/s/a?x=1', '/?x=1', 'a'],
  ['/s/a/?x=/s/b/', '/?x=/s/b/', 'a'],
  ['/S/My-Suite_1.0/x', '/x', 'My-Suite_1.0'],
  ['/%73/a/x', '/x', 'a'],
  ['/%53/a/x', '/x', 'a'],
  ['/s/%61%2Db/x', '/x', 'a-b'],
  ['/s/a/s/b', '/s/b', 'a'],
  ['/s/a//x', '//x', 'a'],
  ['/s/a/../b', '/../b', 'a'],
  ['/s/a/%2e%2e/b', '/%2e%2e/b', 'a'],
  ['/s/.../x', '/x', '...'],
  [`/s/${'a'.repeat(64)}/x`, '/x', 'a'.repeat(64)],
  ['http://host/s/a/x?y', 'http://host/x?y', 'a'],
  ['http://host/s/a', 'http://host/', 'a'],
  ['/.well-known/oauth-authorization-server/s/a', '/.well-known/oauth-authorization-server', 'a'],
  ['/.well-known/thing/S/a/?x', '/.well-known/thing?x', 'a'],
  ['/.well-known/thing/s/a/b/c?x', '/.well-known/thing/b/c?x', 'a'],
])('%s is %s inside the sandbox %s', (sent, inside, name) => {
  const request = entered(sent);
  expect(request.url).toBe(inside);
  expect(sandboxNameOf(request)).toBe(name);
  expect(prefixOf(request)).toBe(`/s/${name}`);
  expect(sentTargetOf(request)).toBe(sent);
});

test.each([
  '',
  '/',
  '*',
  '/s',
  '/s/',
  '/s?x',
  '/s/?x',
  '//s/a/x',
  '/sa/x',
  '/s%2Fa/x',
  '/%2Fs/a/x',
  '/api/s/a/x',
  '/graphql',
  '/sitemap.xml',
  '/.well-known/thing',
  '/.well-known/thing/s/',
  '/.well-known/s/a',
  'http://host',
  'http://host?/s/a/',
  'http://s/a/x',
  // The router reports what is wrong with it.
  '/s/%zz/x',
  '/s/%ff/x',
])('%j is in no sandbox', (sent) => {
  const request = entered(sent);
  expect(request.sandboxAddress).toBeUndefined();
  expect([request.url, sentTargetOf(request), prefixOf(request)]).toEqual([sent, sent, '']);
});

test.each([
  ['an empty name', '/s//x'],
  ['a name that is too long', `/s/${'a'.repeat(65)}/x`],
  ['a very long one', `/s/${'a'.repeat(15_000)}`],
  ['a slash in the name', '/s/a%2Fb/x'],
  ['a null byte', '/s/a%00/x'],
  ['a line break', '/s/a%0a/x'],
  ['a letter of another alphabet', '/s/%C3%A4/x'],
  ['an @, which names of the state begin with', '/s/@service/x'],
  ['a semicolon', '/s/a;b/x'],
  ['a colon', '/s/:sandbox/x'],
  ['a dot alone', '/s/./x'],
  ['two dots', '/s/../x'],
  ['two dots, escaped', '/s/%2e%2E/x'],
  ['two dots behind a well-known address', '/.well-known/thing/s/..'],
])('%s is rejected, and nothing is routed', (_what, sent) => {
  const request = entered(sent);
  expect(request.url).toBe(sent);
  expect(prefixOf(request)).toBe('');
  expect(() => sandboxNameOf(request)).toThrow(/sandbox/);
});

test.each([
  [`/s/~${secret}/x`, secret],
  [`/s/%7e${secret}/x`, secret],
  [`/.well-known/thing/s/~${secret}`, secret],
  ['/s/~/x', ''],
  [`/s/~${secret}a/x`, ''],
  ['/s/~mine/x', ''],
])('the account of %s is not known yet', (sent, found) => {
  const request = entered(sent);
  expect(request.sandboxAddress?.secret).toBe(found);
  // No sandbox may be used before the account is known.
  expect(() => sandboxNameOf(request)).toThrow(/not known yet/);
});

test.each([
  ['the same name', 'a', 'a'],
  ['another name', 'b', undefined],
  ['the name in other letters', 'A', undefined],
  ['what is no name', 'a a', undefined],
  ['a repeated name', 'a, a', undefined],
])('%s in the header agrees or is rejected', (_what, header, name) => {
  const request = entered('/s/a/x');
  request.headers['x-sandbox'] = header;
  if (name === undefined) expect(() => sandboxNameOf(request)).toThrow(/X-Sandbox/);
  else expect(sandboxNameOf(request)).toBe(name);
});
