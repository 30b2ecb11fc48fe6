/** Writes a call for HTTPie, with its syntax for headers and JSON where possible. */

import type { Json } from '#kit/example.js';
import type { Call } from './call.js';
import { formatJson } from './format-json.js';
import { quoteShell, shellCommand, shellLoop } from './quote-shell.js';

export function writeHttpie(call: Call): string {
  const { method, url, headers, user, json, body, times, redirects } = call;
  const items = json === undefined ? undefined : jsonItems(json);
  const raw = json === undefined ? body : items === undefined ? formatJson(json) : undefined;
  const usual = json === undefined && body === undefined ? 'GET' : 'POST';
  const groups = [
    ...headers.map(([name, value]) => quoteShell(value === '' ? `${name};` : `${name}:${value}`)),
    ...(items ?? []).map(quoteShell),
    ...(raw === undefined ? [] : [`--raw ${quoteShell(raw)}`]),
  ];
  const methodPart = method === usual ? '' : ` ${method}`;
  // After the URL, options would end the list of items.
  const options = [
    ...(redirects === 'followed' ? [' --follow'] : []),
    ...(user ? [` -a ${quoteShell(`${user.username}:${user.password}`)}`] : []),
  ].join('');
  return shellLoop(times, shellCommand(`http${options}${methodPart} ${quoteShell(url)}`, groups));
}

/** Names without separators or brackets. */
const plainName = /^[\w-]+$/;
/** Values that need escapes: backslashes, and @ at the start, which would read a file. */
const awkwardText = /^[@=]|\\/;

/**
 * Writes `name=text` and `name:=JSON` per member; returns undefined if that is not exact and
 * readable.
 */
function jsonItems(json: Json): string[] | undefined {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return undefined;
  const members = Object.entries(json);
  if (members.length === 0) return undefined;
  const items: string[] = [];
  for (const [name, value] of members) {
    if (!plainName.test(name)) return undefined;
    if (typeof value !== 'string') items.push(`${name}:=${formatJson(value)}`);
    else if (awkwardText.test(value)) return undefined;
    else items.push(`${name}=${value}`);
  }
  return items.some((item) => item.includes('\\')) ? undefined : items;
}
