/** Writes a call for requests, the Python library. */

import type { Json } from '#kit/example.js';
import type { Call } from './call.js';
import { quoteString } from './quote-string.js';

/** Methods with their own function in `requests`. */
const named = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

export function writePython(call: Call): string {
  const { method, url, headers, user, json, body } = call;
  const { times, redirects, shownHeaders, hasResponseBody } = call;
  // Indentation would change its lines, so it is not used inside a loop.
  const isBlock = body !== undefined && isLongString(body);
  const groups = [
    quoteString(url),
    ...(user ? [`auth=(${text(user.username)}, ${text(user.password)})`] : []),
    ...(headers.length === 0 ? [] : [`headers=${literal(Object.fromEntries(headers))}`]),
    ...(json === undefined ? [] : [`json=${literal(json)}`]),
    ...(body === undefined ? [] : [`data=${isBlock ? encoded('body', body) : text(body)}`]),
    ...(redirects === 'shown' ? ['allow_redirects=False'] : []),
    // Redirects are followed by default, except for HEAD.
    ...(redirects === 'followed' && method === 'HEAD' ? ['allow_redirects=True'] : []),
  ];
  const called = named.has(method) ? method.toLowerCase() : 'request';
  const all = called === 'request' ? [quoteString(method), ...groups] : groups;
  const lines = [
    `response = requests.${called}(${args(all)})`,
    'print(response.status_code)',
    ...(shownHeaders === 'all'
      ? ['for name, value in response.headers.items():', '    print(f"{name}: {value}")']
      : shownHeaders.map((name) => `print("${name}:", response.headers.get("${name}"))`)),
    ...(hasResponseBody ? ['print(response.text)'] : []),
  ].join('\n');
  const repeated =
    times === 1 ? lines : `for _ in range(${times}):\n    ${lines.replaceAll('\n', '\n    ')}`;
  const defined = isBlock ? `body = """${body}"""\n` : '';
  return `import requests\n\n${defined}${repeated}`;
}

function args(groups: readonly string[]): string {
  const line = groups.join(', ');
  if (groups.length === 1 || (line.length <= 60 && !line.includes('\n'))) return line;
  return `\n${groups.map((each) => `    ${each.replaceAll('\n', '\n    ')},\n`).join('')}`;
}

function literal(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // Python reads JSON numbers and strings as JSON does.
  if (typeof value === 'string') return quoteString(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${quoteString(name)}: ${literal(member)}`,
  );
  const line = `{${members.join(', ')}}`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `{\n${members.map((each) => `    ${each.replaceAll('\n', '\n    ')},\n`).join('')}}`;
}

const ascii = /^[\n\x20-\x7e]*$/;

/** Encodes text, which requests would send as Latin-1 or reject. */
function encoded(expression: string, value: string): string {
  return ascii.test(value) ? expression : `${expression}.encode()`;
}

function text(value: string): string {
  return encoded(quoteString(value), value);
}

/** Returns whether a triple-quoted string can contain these lines unchanged. */
function isLongString(value: string): boolean {
  return value.includes('\n') && !/"""|\\|\r|"$/.test(value);
}
