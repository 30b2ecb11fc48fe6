/** Parses request targets: RFC 9112 section 3.2 and RFC 3986 section 2.1. */

import { decodePercent } from '../../base/text/decode-percent.js';

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/** Returns the path and query of a target, which proxies receive with scheme and host. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(absoluteForm, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns whether a target is this path or below it, in any letter case. */
export function isBelow(target: string, path: string): boolean {
  const next = target[path.length];
  const isWhole = next === undefined || next === '/' || next === '?' || next === ';';
  return isWhole && target.slice(0, path.length).toLowerCase() === path;
}

const shownCharacters = 12;

/** Describes where and why the query of a target cannot be decoded. */
export function queryFault(target: string): string | undefined {
  const start = target.indexOf('?') + 1;
  if (start === 0 || !target.includes('%', start)) return undefined;
  const query = target.slice(start);
  for (const { 0: escapes, index } of query.matchAll(/(?:%[\da-f]{2})+|%/gi)) {
    if (decodePercent(escapes) !== undefined) continue;
    const piece = JSON.stringify(query.slice(index, index + shownCharacters));
    return `The query is malformed at character ${index + 1}, which begins ${piece}: each % must be followed by two hex digits, which together make UTF-8.`;
  }
  return undefined;
}
