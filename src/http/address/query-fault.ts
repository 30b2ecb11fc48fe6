/** Percent-encoding in queries: RFC 3986 section 2.1. */

const shownCharacters = 12;

/** Where and why the query of a request target cannot be decoded; its names and values are UTF-8. */
export function queryFault(target: string): string | undefined {
  const start = target.indexOf('?') + 1;
  if (start === 0 || !target.includes('%', start)) return undefined;
  const query = target.slice(start);
  for (const { 0: escapes, index } of query.matchAll(/(?:%[\da-f]{2})+|%/gi)) {
    try {
      decodeURIComponent(escapes);
    } catch {
      const piece = JSON.stringify(query.slice(index, index + shownCharacters));
      return `The query is malformed at character ${index + 1}, which begins ${piece}: each % must be followed by two hex digits, which together make UTF-8.`;
    }
  }
  return undefined;
}
