/** Parses request targets: RFC 9112 section 3.2 and RFC 3986 section 2.1. */

import { urlEncodedFault } from '#base/text/parse-url-encoded.js';

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

/** Describes where and why the query of a target cannot be decoded. */
export function queryFault(target: string): string | undefined {
  const start = target.indexOf('?') + 1;
  const fault = start === 0 ? undefined : urlEncodedFault(target.slice(start));
  return fault && `The query ${fault}`;
}
