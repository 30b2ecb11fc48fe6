/** Writes a call with fetch (WHATWG Fetch) as a module, for Node and the browser console. */

import type { Json } from '#kit/example.js';
import type { Call } from './call.js';
import { encodeBasic } from './encode-basic.js';
import { quoteString } from './quote-string.js';

export function writeFetch(call: Call): string {
  const { method, url, headers, user, json, body } = call;
  const { times, redirects, shownHeaders, hasResponseBody } = call;
  // Indentation would change its lines, so it is not used inside a loop.
  const isBlock = body !== undefined && isTemplate(body);
  const allHeaders = [
    ...(user ? [property('Authorization', basic(user))] : []),
    ...(json === undefined ? [] : [property('Content-Type', '"application/json"')]),
    ...headers.map(([name, value]) => property(name, quoteString(value))),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoteString(method)}`]),
    ...(allHeaders.length === 0 ? [] : [`headers: ${braces(allHeaders)}`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json)})`]),
    ...(body === undefined ? [] : [isBlock ? 'body' : `body: ${quoteString(body)}`]),
    ...(redirects === 'shown' ? ['redirect: "manual"'] : []),
  ];
  const argument = options.length === 0 ? '' : `, ${block(options)}`;
  const lines = [
    `const response = await fetch(${quoteString(url)}${argument});`,
    'console.log(response.status);',
    ...(shownHeaders === 'all'
      ? ['for (const [name, value] of response.headers) console.log(name + ":", value);']
      : shownHeaders.map((name) => `console.log("${name}:", response.headers.get("${name}"));`)),
    ...(hasResponseBody ? ['console.log(await response.text());'] : []),
  ].join('\n');
  const repeated =
    times === 1
      ? lines
      : `for (let i = 1; i <= ${times}; i++) {\n  ${lines.replaceAll('\n', '\n  ')}\n}`;
  return isBlock ? `const body = \`${body}\`;\n${repeated}` : repeated;
}

const identifier = /^[A-Za-z_$][\w$]*$/;

function property(name: string, value: string): string {
  return `${identifier.test(name) ? name : quoteString(name)}: ${value}`;
}

function basic({ username, password }: NonNullable<Call['user']>): string {
  const pair = `${username}:${password}`;
  // btoa accepts only Latin-1, and would not encode other characters as UTF-8.
  if (/^[\x20-\x7e]*$/.test(pair)) return `"Basic " + btoa(${quoteString(pair)})`;
  return JSON.stringify(encodeBasic({ username, password }));
}

/** Writes one line if it is short. */
function braces(properties: readonly string[]): string {
  const line = `{ ${properties.join(', ')} }`;
  return line.length <= 60 && !line.includes('\n') ? line : block(properties);
}

function block(properties: readonly string[]): string {
  return `{\n${properties.map((each) => `  ${each.replaceAll('\n', '\n  ')},\n`).join('')}}`;
}

function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return quoteString(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => property(name, literal(member)));
  return members.length === 0 ? '{}' : braces(members);
}

/** Returns whether a template literal can contain these lines unchanged. */
function isTemplate(value: string): boolean {
  return value.includes('\n') && !/[`\\\r]|\$\{/.test(value);
}
