import { expect, test } from 'vitest';
import { parseCurl } from '../../../pages/landing/parse-curl.js';
import { splitWords } from '../../../pages/shared/split-shell.js';

test.each([
  ['a \'b c\' "d e"', ['a', 'b c', 'd e']],
  ["'it'\\''s'", ["it's"]],
  ['a \\\n  b', ['a', 'b']],
  ['"say \\"hi\\" \\n"', ['say "hi" \\n']],
  ["-H'A: b'", ['-HA: b']],
  ["''", ['']],
  ['"open', ['open']],
  ['a|b $c `d` #e', ['a|b', '$c', '`d`', '#e']],
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
    {
      method: 'POST',
      address: '/a',
      headers: ['Content-Type: application/json', 'Accept: application/json'],
      body: '{}',
    },
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
  [
    'curl -kF a=b -A me /a?b=1&c=2 -H "Content-Type: text/csv" -d',
    { method: 'GET', address: '/a?b=1&c=2', headers: ['Content-Type: text/csv'], body: '' },
  ],
  [
    'curl /a -H "Content-Type: text/csv" -d a --data-urlencode "=b c"',
    { method: 'POST', address: '/a', headers: ['Content-Type: text/csv'], body: 'a&b%20c' },
  ],
])('%s', (command, request) => {
  expect(parseCurl(command)).toEqual(request);
});

test.each(['curl', 'curl -X', 'curl -i -d x'])('%j has no URL', (command) => {
  expect(parseCurl(command)).toBeUndefined();
});
