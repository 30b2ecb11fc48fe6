import { expect, test } from 'vitest';
import { parseCurl, splitWords } from '../../../pages/landing/parse-curl.js';

test.each([
  ['a \'b c\' "d e"', ['a', 'b c', 'd e']],
  ["'it'\\''s'", ["it's"]],
  ['a \\\n  b', ['a', 'b']],
  ['"say \\"hi\\" \\n"', ['say "hi" \\n']],
  ["-H'A: b'", ['-HA: b']],
  ["''", ['']],
  ['"open', ['open']],
  ['', []],
])('%j splits as a shell does', (command, words) => {
  expect(splitWords(command)).toEqual(words);
});

const form = 'Content-Type: application/x-www-form-urlencoded';

test.each([
  ['curl /a', { method: 'GET', address: '/a', headers: [], body: '' }],
  ['curl -sSiL /a -o out', { method: 'GET', address: '/a', headers: [], body: '' }],
  ['curl -I /a', { method: 'HEAD', address: '/a', headers: [], body: '' }],
  ['curl -XDELETE --url /a', { method: 'DELETE', address: '/a', headers: [], body: '' }],
  ['curl /a -d x=1 -d y=2', { method: 'POST', address: '/a', headers: [form], body: 'x=1&y=2' }],
  ['curl -G /a -d x=1', { method: 'GET', address: '/a?x=1', headers: [], body: '' }],
  [
    'curl /a --data-urlencode "q=a b"',
    { method: 'POST', address: '/a', headers: [form], body: 'q=a%20b' },
  ],
  [
    "curl /a --json '{}'",
    { method: 'POST', address: '/a', headers: ['Content-Type: application/json'], body: '{}' },
  ],
  [
    'curl -u demo:é /a -b a=1',
    {
      method: 'GET',
      address: '/a',
      headers: ['Authorization: Basic ZGVtbzrDqQ==', 'Cookie: a=1'],
      body: '',
    },
  ],
])('%s', (command, request) => {
  expect(parseCurl(command)).toEqual(request);
});

test.each(['curl', 'curl -X', 'curl -i -d x'])('%j names no address', (command) => {
  expect(parseCurl(command)).toBeUndefined();
});
