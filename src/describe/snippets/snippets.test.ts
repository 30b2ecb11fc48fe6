/** Checks the layout of the code; tests with real clients check what it sends. */

import { expect, test } from 'vitest';
import type { Example } from '#kit/example.js';
import { callOf } from './call.js';
import { clients } from './clients.js';
import { quoteShell } from './quote-shell.js';
import { quoteString } from './quote-string.js';

const response = { status: 200, has: '' };
const base = 'http://localhost:3000';

function written(example: Partial<Example>): Record<string, string> {
  const whole = { title: '', method: 'GET', path: '/', response, ...example };
  return Object.fromEntries(clients.map(({ id, write }) => [id, write(callOf(whole, base))]));
}

test('a plain GET is one readable line', () => {
  expect(written({ path: '/api/Books/1' })).toEqual({
    curl: 'curl -i http://localhost:3000/api/Books/1',
    fetch: `const response = await fetch("http://localhost:3000/api/Books/1");
console.log(response.status);
console.log(await response.text());`,
    python: `import requests

response = requests.get("http://localhost:3000/api/Books/1")
print(response.status_code)
print(response.text)`,
    httpie: 'http http://localhost:3000/api/Books/1',
  });
});

test('each client has its own syntax for credentials, JSON and headers', () => {
  const example = {
    method: 'PATCH',
    path: '/api?a=1',
    user: { username: 'demo', password: 'x' },
    headers: { 'X-Sandbox': 'mine' },
    json: { price: 9.5, name: 'it is', none: null },
    response: { ...response, headers: ['ETag'] },
  };
  expect(written(example)).toEqual({
    curl: `curl -i -X PATCH 'http://localhost:3000/api?a=1' \\
  -u demo:x \\
  -H 'Content-Type: application/json' \\
  -H 'X-Sandbox: mine' \\
  -d '{"price": 9.5, "name": "it is", "none": null}'`,
    fetch: `const response = await fetch("http://localhost:3000/api?a=1", {
  method: "PATCH",
  headers: {
    Authorization: "Basic " + btoa("demo:x"),
    "Content-Type": "application/json",
    "X-Sandbox": "mine",
  },
  body: JSON.stringify({ price: 9.5, name: "it is", none: null }),
});
console.log(response.status);
console.log("ETag:", response.headers.get("ETag"));
console.log(await response.text());`,
    python: `import requests

response = requests.patch(
    "http://localhost:3000/api?a=1",
    auth=("demo", "x"),
    headers={"X-Sandbox": "mine"},
    json={"price": 9.5, "name": "it is", "none": None},
)
print(response.status_code)
print("ETag:", response.headers.get("ETag"))
print(response.text)`,
    httpie: `http -a demo:x PATCH 'http://localhost:3000/api?a=1' \\
  X-Sandbox:mine \\
  price:=9.5 \\
  'name=it is' \\
  none:=null`,
  });
});

test('a response without a body is not read', () => {
  const { fetch, python } = written({ method: 'DELETE', response: { status: 204, has: '' } });
  expect(fetch).not.toContain('text()');
  expect(python).not.toContain('.text');
});

test.each([
  ['plain-1.0_x/y', 'plain-1.0_x/y'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  ['=a', "'=a'"],
  ['[::1]', "'[::1]'"],
])('%s is quoted for a shell as %s', (word, quoted) => {
  expect(quoteShell(word)).toBe(quoted);
});

test.each([
  ['a', '"a"'],
  ['"a"', `'"a"'`],
  [`"it's"`, `"\\"it's\\""`],
  ['\\"', '"\\\\\\""'],
])('%s is quoted in code as %s', (text, literal) => {
  expect(quoteString(text)).toBe(literal);
});
