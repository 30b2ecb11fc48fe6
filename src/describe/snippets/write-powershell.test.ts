/** Checks the text only, because test machines have no PowerShell. */

import { expect, test } from 'vitest';
import type { Call } from './call.js';
import { quotePowershell, writePowershell } from './write-powershell.js';

const url = 'http://localhost:3000/a';
const plain: Call = {
  method: 'GET',
  url,
  headers: [],
  times: 1,
  shownHeaders: [],
  hasResponseBody: true,
};

const cases: readonly (readonly [string, Partial<Call>, string])[] = [
  [
    'an address',
    {},
    `$response = Invoke-WebRequest -Uri '${url}' -SkipHttpErrorCheck
$response.StatusCode
$response.Content`,
  ],
  [
    'a method without a body in the response, and its headers',
    { method: 'HEAD', hasResponseBody: false, shownHeaders: 'all' },
    `$response = Invoke-WebRequest -Uri '${url}' \`
  -Method HEAD \`
  -SkipHttpErrorCheck
$response.StatusCode
$response.Headers`,
  ],
  [
    'a method of its own, a header, one that is shown',
    { method: 'QUERY', headers: [['X-A', 'b']], shownHeaders: ['ETag'] },
    `$response = Invoke-WebRequest -Uri '${url}' \`
  -CustomMethod QUERY \`
  -Headers @{ 'X-A' = 'b' } \`
  -SkipHttpErrorCheck
$response.StatusCode
$response.Headers['ETag']
$response.Content`,
  ],
  [
    'a body of a type',
    { method: 'POST', headers: [['content-type', 'text/plain']], body: "it's" },
    `$response = Invoke-WebRequest -Uri '${url}' \`
  -Method POST \`
  -ContentType 'text/plain' \`
  -Body 'it''s' \`
  -SkipHttpErrorCheck
$response.StatusCode
$response.Content`,
  ],
  [
    'a user, and text beyond ASCII',
    {
      method: 'PUT',
      user: { username: 'demo', password: 'secret' },
      headers: [['Accept', 'text/csv']],
      body: 'ž',
    },
    `$response = Invoke-WebRequest -Uri '${url}' \`
  -Method PUT \`
  -Headers @{
    Authorization = 'Basic ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes('demo:secret'))
    Accept = 'text/csv'
  } \`
  -Body ([Text.Encoding]::UTF8.GetBytes('ž')) \`
  -SkipHttpErrorCheck
$response.StatusCode
$response.Content`,
  ],
];

test.each(cases)('%s', (_name, call, expected) => {
  expect(writePowershell({ ...plain, ...call })).toBe(expected);
});

test.each([
  ['$a `b` "c"', `'$a \`b\` "c"'`],
  ["'", "''''"],
  ['‘a’', "'‘‘a’’'"],
  ['{\n}', "'{\n}'"],
])('%j is quoted as %j', (text, expected) => {
  expect(quotePowershell(text)).toBe(expected);
});
