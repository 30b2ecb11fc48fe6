/** Shows which commands of the documentation a browser can send as requests. */

import { expect, test } from 'vitest';
import { Shell } from '../../scripts/guides/read-commands.js';

const host = 'localhost:3000';
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json', Accept: 'application/json' };

/** One shell runs them in turn; the test expects the request of the last. */
const cases: readonly (readonly [string, readonly string[], unknown])[] = [
  ['a URL', [`curl ${host}/a`], { method: 'GET', path: '/a' }],
  ['a URL with a scheme', [`curl http://${host}/a?b=1`], { method: 'GET', path: '/a?b=1' }],
  ['the root', [`curl -s ${host}`], { method: 'GET', path: '/' }],
  ['combined flags', [`curl -siL ${host}/a`], { method: 'GET', path: '/a', follows: true }],
  ['a method right after its flag', [`curl -XPUT ${host}/a`], { method: 'PUT', path: '/a' }],
  ['HEAD', [`curl -sI ${host}/a`], { method: 'HEAD', path: '/a' }],
  ['a header', [`curl -H 'A: b c' ${host}/`], { method: 'GET', path: '/', headers: { A: 'b c' } }],
  [
    'data',
    [`curl ${host}/ -d a=1 -d b=2`],
    { method: 'POST', path: '/', headers: form, body: 'a=1&b=2' },
  ],
  [
    'data with a type',
    [`curl ${host}/ -H 'content-type: text/plain' --data-raw @a`],
    { method: 'POST', path: '/', headers: { 'content-type': 'text/plain' }, body: '@a' },
  ],
  ['JSON', [`curl ${host}/ --json '{}'`], { method: 'POST', path: '/', headers: json, body: '{}' }],
  [
    'a query from data',
    [`curl ${host}/a --get --data-urlencode 'q={ a }'`],
    { method: 'GET', path: '/a?q=%7B%20a%20%7D' },
  ],
  [
    'encoded data without a name',
    [`curl ${host}/ --data-urlencode '=a b'`],
    { method: 'POST', path: '/', headers: form, body: 'a%20b' },
  ],
  ['a URL as an option', [`curl --url ${host}/a`], { method: 'GET', path: '/a' }],
  ['a user', [`curl -u a:b ${host}/`], { method: 'GET', path: '/', user: 'a:b' }],
  [
    'a bearer token',
    [`curl --oauth2-bearer t ${host}/`],
    { method: 'GET', path: '/', headers: { Authorization: 'Bearer t' } },
  ],
  ['a cookie', [`curl -b a=1 ${host}/`], { method: 'GET', path: '/', cookie: 'a=1' }],
  [
    'a range',
    [`curl -r 0-9 ${host}/`],
    { method: 'GET', path: '/', headers: { Range: 'bytes=0-9' } },
  ],
  [
    'several lines',
    [`curl ${host}/ \\\n  -H 'A: b'`],
    { method: 'GET', path: '/', headers: { A: 'b' } },
  ],
  [
    'escapes in quotes',
    [`curl ${host}/ -H "A: \\"\\$b\\"" `],
    { method: 'GET', path: '/', headers: { A: '"$b"' } },
  ],
  ['a pipe into filters', [`curl ${host}/a | grep b | head -n 1`], { method: 'GET', path: '/a' }],
  ['output to a file', [`curl ${host}/a > b`], { method: 'GET', path: '/a' }],
  ['an exit status', [`curl ${host}/a; echo " $?"`], { method: 'GET', path: '/a' }],
  ['a variable', ['A=b', `curl ${host}/$A`], { method: 'GET', path: '/b' }],
  [
    'a function with all of its arguments',
    [`f() { curl ${host}/a "$@"; }`, `f -H 'B: c'`],
    { method: 'GET', path: '/a', headers: { B: 'c' } },
  ],
  [
    'a function that shifts',
    [`f() { path=$1; shift; curl ${host}/$path "$@" | head -1; }`, 'f a -X DELETE'],
    { method: 'DELETE', path: '/a' },
  ],
  [
    'a function in a function, with a default',
    [`f() { curl ${host}/\${1:-a} -d "$2"; }`, `g() { f '' "{\\"b\\": $1}"; }`, 'g 1'],
    { method: 'POST', path: '/a', headers: form, body: '{"b": 1}' },
  ],
];

test.each(cases)('%s', (_name, commands, expected) => {
  const shell = new Shell();
  expect(commands.map((command) => shell.read(command)).at(-1)).toEqual(expected);
});

test.each([
  ['another host', 'curl https://example.org/'],
  ['another port', 'curl https://localhost:8443/'],
  ['no URL', 'curl -s'],
  ['two URLs', `curl ${host}/a ${host}/b`],
  ['two requests', `curl ${host}/a; curl ${host}/b`],
  ['another program', 'node -p 1'],
  ['a definition', `f() { curl ${host}/a; }`],
  ['a file as body', `curl ${host}/ -d @a`],
  ['a file to encode', `curl ${host}/ --data-urlencode a@b`],
  ['a User-Agent', `curl ${host}/ -A me`],
  ['a multipart form', `curl ${host}/ -F a=b`],
  ['an option without its value', `curl ${host}/ -H`],
  ['a file of cookies', `curl ${host}/ -b jar.txt`],
  ['an upload', `curl -T a ${host}/`],
  ['an unsupported option', `curl --digest -u a:b ${host}/`],
  ['a shell expansion', `curl ${host}/$(date)`],
  ['a shell expansion in quotes', `curl "${host}/$(date)"`],
  ['a shell expansion in backticks', `curl ${host}/\`date\``],
  ['an unset variable', `curl ${host}/$A`],
  ['a URL pattern of curl', `curl '${host}/{a,b}'`],
  ['dot segments in the path', `curl --path-as-is ${host}/a/../b`],
  ['a header that the browser sets', `curl ${host}/ -H 'Host: a'`],
  ['a removed header', `curl ${host}/ -H 'Accept:'`],
  ['a header twice', `curl ${host}/ -H 'A: 1' -H 'a: 2'`],
  ['a header that no script may set', `curl ${host}/ -H 'A: é'`],
  ['TRACE', `curl -X TRACE ${host}/`],
  ['GET with a body', `curl -X GET -d a ${host}/`],
  ['a loop', `for a in 1 2; do curl ${host}/; done`],
  ['another program behind the pipe', `curl ${host}/ | node -p 1`],
  ['an open quote', `curl '${host}/`],
  ['a function that calls itself', 'f() { f; }\nf'],
])('no browser sends %s', (_name, command) => {
  expect(new Shell().read(command)).toBeUndefined();
});

test('a variable set by an unsupported command is unknown from then on', () => {
  const shell = new Shell();
  shell.read('id=1');
  shell.read(`id=$(curl ${host}/new)`);
  expect(shell.read(`curl ${host}/$id`)).toBeUndefined();
});

test('a recursive function ends', () => {
  const shell = new Shell();
  shell.read('f() { f; }');
  expect(shell.read('f')).toBeUndefined();
});
