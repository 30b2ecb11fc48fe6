/** Writes a call for PowerShell 7, whose Invoke-WebRequest also returns error responses. */

import type { Call } from './call.js';
import { shellCommand } from './quote-shell.js';

/** Methods of `-Method` (System.Net.Http.HttpMethod); any other is a custom method. */
const named = /^(?:DELETE|GET|HEAD|MERGE|OPTIONS|PATCH|POST|PUT|TRACE)$/;

/** A Content-Type is needed exactly when there is a body. */
export function writePowershell(call: Call): string {
  const { method, url, headers, user, body, shownHeaders, hasResponseBody } = call;
  const isType = ([name]: readonly [string, string]) => name.toLowerCase() === 'content-type';
  const [, type] = headers.find(isType) ?? [];
  const members = [
    ...(user ? [`Authorization = ${basic(user)}`] : []),
    ...headers
      .filter((header) => !isType(header))
      .map(([name, value]) => `${quoteName(name)} = ${quotePowershell(value)}`),
  ];
  const groups = [
    ...(method === 'GET' ? [] : [`${named.test(method) ? '-Method' : '-CustomMethod'} ${method}`]),
    ...(members.length === 0 ? [] : [`-Headers ${hashtable(members)}`]),
    ...(type === undefined ? [] : [`-ContentType ${quotePowershell(type)}`]),
    ...(body === undefined ? [] : [`-Body ${bodyOf(body)}`]),
    '-SkipHttpErrorCheck',
  ];
  return [
    `$response = ${shellCommand(`Invoke-WebRequest -Uri ${quotePowershell(url)}`, groups, '`')}`,
    '$response.StatusCode',
    ...(shownHeaders === 'all'
      ? ['$response.Headers']
      : shownHeaders.map((name) => `$response.Headers[${quotePowershell(name)}]`)),
    ...(hasResponseBody ? ['$response.Content'] : []),
  ].join('\n');
}

/** Quotes text in single quotes, which typographic quotes end as well. */
export function quotePowershell(text: string): string {
  return `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;
}

function quoteName(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : quotePowershell(name);
}

function hashtable(members: readonly string[]): string {
  const line = `@{ ${members.join('; ')} }`;
  return line.length <= 60 ? line : `@{\n${members.map((each) => `    ${each}\n`).join('')}  }`;
}

function basic({ username, password }: NonNullable<Call['user']>): string {
  const pair = quotePowershell(`${username}:${password}`);
  return `'Basic ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes(${pair}))`;
}

/** Encodes the body, because versions before 7.4 send text as Latin-1. */
function bodyOf(body: string): string {
  const quoted = quotePowershell(body);
  return /^[\r\n\t\x20-\x7e]*$/.test(body) ? quoted : `([Text.Encoding]::UTF8.GetBytes(${quoted}))`;
}
