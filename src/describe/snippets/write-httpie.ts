/** A call for HTTPie, in its own words for headers and JSON where they can say it. */

import type { Json } from '../../kit/example.js';
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
  const verb = method === usual ? '' : ` ${method}`;
  // Behind the address, options would end its list of items.
  const options = [
    ...(redirects === 'followed' ? [' --follow'] : []),
    ...(user ? [` -a ${quoteShell(`${user.username}:${user.password}`)}`] : []),
  ].join('');
  return shellLoop(times, shellCommand(`http${options}${verb} ${quoteShell(url)}`, groups));
}

/** Names without any character that separates a name from its value, or nests. */
const plainName = /^[\w-]+$/;
/** A backslash would have to be doubled before some characters only; @ would read a file. */
const awkwardText = /^[@=]|\\/;

/** `name=text` and `name:=JSON` per member; undefined where that would not be exact and readable. */
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
