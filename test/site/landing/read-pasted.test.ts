import { expect, test } from 'vitest';
import { readPasted } from '../../../pages/landing/paste/read-pasted.js';
import { splitWords } from '../../../pages/shared/curl/split-shell.js';
import { writeHttpie } from '../../../src/describe/snippets/write-httpie.js';
import { writePowershell } from '../../../src/describe/snippets/write-powershell.js';

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
const json = ['Content-Type: application/json', 'Accept: application/json'];
const get = { method: 'GET', headers: [], body: '' };

test.each([
  ['curl /a', { ...get, address: '/a' }],
  ["fetch('http://localhost:3000/a')", { ...get, address: 'http://localhost:3000/a' }],
  ['const r = await fetch("/a?b=1");\nconsole.log(r.status);', { ...get, address: '/a?b=1' }],
  [
    `await fetch("/a", {
  method: "post",
  headers: { 'Content-Type': 'application/json', Authorization: "Basic " + btoa("a:b") },
  body: JSON.stringify({ title: "it's \\"new\\"", tags: [1, true, null], }),
})`,
    {
      method: 'POST',
      address: '/a',
      headers: ['Content-Type: application/json', 'Authorization: Basic YTpi'],
      body: '{"title":"it\'s \\"new\\"","tags":[1,true,null]}',
    },
  ],
  ['$ curl -s localhost:3000/a', { ...get, address: 'localhost:3000/a' }],
  ['$ curl -s :3000/a\n{"id":1}\n', { ...get, address: ':3000/a' }],
  ['curl -sSiL /a -o out', { ...get, address: '/a' }],
  ['curl /a > out 2>&1', { ...get, address: '/a' }],
  ['curl /a?b=1&c=2', { ...get, address: '/a?b=1&c=2' }],
  ["curl '/a?b=1&c=2' | jq . | head -3", { ...get, address: '/a?b=1&c=2' }],
  [`URL=/a\ncurl "$URL?b=\${B:-1}"`, { ...get, address: '/a?b=1' }],
  ['curl -I /a', { ...get, method: 'HEAD', address: '/a' }],
  ['curl -XDELETE --url /a', { ...get, method: 'DELETE', address: '/a' }],
  ['curl /a -d x=1 -d y=2', { method: 'POST', address: '/a', headers: [form], body: 'x=1&y=2' }],
  ['curl \\\n  /a \\\n  -d x=1', { method: 'POST', address: '/a', headers: [form], body: 'x=1' }],
  ['curl -G /a -d x=1', { ...get, address: '/a?x=1' }],
  ["echo 'x=1' | curl /a -d @-", { method: 'POST', address: '/a', headers: [form], body: 'x=1' }],
  ["printf '%s' x | curl /a -d @-", { method: 'POST', address: '/a', headers: [form], body: 'x' }],
  [
    'curl /a --data-urlencode "q=a b"',
    { method: 'POST', address: '/a', headers: [form], body: 'q=a%20b' },
  ],
  ["curl /a --json '{}'", { method: 'POST', address: '/a', headers: json, body: '{}' }],
  [
    'curl -s -u demo:é /a -b a=1 -b b=2',
    { ...get, address: '/a', headers: ['Authorization: Basic ZGVtbzrDqQ==', 'Cookie: a=1; b=2'] },
  ],
  [
    'curl /a -H "Content-Type: text/csv" -d a --data-urlencode "=b c"',
    { method: 'POST', address: '/a', headers: ['Content-Type: text/csv'], body: 'a&b%20c' },
  ],
  [
    'curl /a -F a=b',
    {
      method: 'POST',
      address: '/a',
      headers: ['Content-Type: multipart/form-data; boundary=practice-api-form'],
      body: '--practice-api-form\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--practice-api-form--\r\n',
    },
  ],
  [
    'http :3000/a q==1 X-A:b',
    { ...get, address: 'http://localhost:3000/a?q=1', headers: ['X-A: b'] },
  ],
  [
    'http PUT localhost/a n:=1 t=x',
    {
      method: 'PUT',
      address: 'http://localhost/a',
      headers: ['Content-Type: application/json'],
      body: '{"n": 1, "t": "x"}',
    },
  ],
  ['Invoke-RestMethod http://localhost:3000/a', { ...get, address: 'http://localhost:3000/a' }],
  [
    "PS C:\\> irm -Method Post -Uri \"/a\" -Body 'it''s'",
    { ...get, method: 'POST', address: '/a', body: "it's" },
  ],
  ['curl.exe /a', { ...get, address: '/a' }],
  ['GET /a', { ...get, address: '/a' }],
  [
    'POST http://localhost:3000/a HTTP/1.1\nHost: localhost:3000\nContent-Type: text/plain\n\nHello\n',
    {
      method: 'POST',
      address: 'http://localhost:3000/a',
      headers: ['Content-Type: text/plain'],
      body: 'Hello',
    },
  ],
])('%j is a request', (text, request) => {
  expect(readPasted(text)).toEqual({ request });
});

test.each([
  ['curl', 'no URL'],
  ['curl -X', 'does not support -X'],
  ['curl /a -d @-', 'the input of a command'],
  ['node x.js | curl /a -d @-', 'the input of a command'],
  ['curl /a -d @file', 'cannot read files'],
  ['curl /a -F f=@file', 'cannot read files'],
  ['curl -T file /a', 'cannot read files'],
  ['curl -b jar /a', '-b reads cookies from a file'],
  ['curl -A me /a', 'User-Agent'],
  ["curl -H 'Host: x' /a", 'Browsers set Host'],
  ["curl -H 'Accept:' /a", 'removes a header'],
  ["curl -H 'A: 1' -H 'a: 2' /a", 'Send a once'],
  ['curl --digest -u a:b /a', 'Digest needs two requests'],
  ['curl --http2 /a', 'version of HTTP'],
  ['curl --fancy /a', 'does not support --fancy'],
  ['curl -X TRACE /a', 'do not send TRACE'],
  ['curl -X GET /a -d x', 'no body with GET'],
  ["curl '/a/[1-3]'", 'several requests'],
  ['curl /a /b', 'sends one request'],
  ['curl /a; curl /b', '2 requests'],
  ['for i in 1 2; do curl /a; done', 'without loops'],
  ['get() { curl /a; }', 'defines a function'],
  ['TOKEN=$(curl /a)', 'only sets a variable'],
  ['curl -H "A: $TOKEN" /a', 'Only a shell knows $TOKEN'],
  ['curl /a/$(date)', 'Only a shell can run'],
  ["curl '/a", 'close the quote'],
  ['npx practice-api', 'The command "npx" needs a terminal.'],
  ["requests.get('/a')", 'does not run programs'],
  ["axios.get('/a')", 'does not run programs'],
  ['await fetch(url)', 'arguments are literals'],
  ['fetch(`/a/$' + '{id}`)', 'arguments are literals'],
  ["fetch('/a', options)", 'arguments are literals'],
  ["fetch('/a'", 'arguments are literals'],
  ["fetch('/a'); fetch('/b')", 'Paste one call of fetch'],
  ['irm $url', 'Only PowerShell knows $url'],
  ['http /a f@file', 'cannot read files'],
])('%j is no request: %s', (text, reason) => {
  const pasted = readPasted(text);
  expect('fault' in pasted && pasted.fault).toContain(reason);
});

test('a command after the request is left out, and the console says so', () => {
  expect(readPasted('curl /a | node x.js')).toEqual({
    request: { ...get, address: '/a' },
    note: 'Only the request is sent: node runs in a terminal.',
  });
});

test.each([
  { method: 'GET', headers: [] },
  { method: 'PUT', headers: [['X-A', "it's"]], user: { username: 'demo', password: 'pä' } },
  { method: 'PURGE', headers: [['Content-Type', 'text/plain']], body: "it's 5 €\n" },
] as const)('snippets for other clients are read: %j', (given) => {
  const call = {
    ...given,
    url: 'http://localhost:3000/a?b=1&c=2',
    times: 1,
    shownHeaders: 'all',
    hasResponseBody: true,
  } as const;
  const user = 'user' in given ? ['Authorization: Basic ZGVtbzpww6Q='] : [];
  const lines = given.headers.map(([name, value]) => `${name}: ${value}`);
  for (const text of [writeHttpie(call), writePowershell(call)]) {
    expect(readPasted(text)).toEqual({
      request: {
        method: given.method,
        address: call.url,
        headers: expect.arrayContaining([...lines, ...user]),
        body: 'body' in given ? given.body : '',
      },
    });
  }
});
