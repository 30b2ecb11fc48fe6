import { groupHeaders } from '#http/headers/header-values.js';

/** Lists headers in the letter case of their first occurrence; repeated headers are arrays, in order. */
export function listHeaders(rawHeaders: readonly string[]): Record<string, string | string[]> {
  const names = new Map<string, string>();
  return groupHeaders(rawHeaders, (sent) => {
    const lowerCase = sent.toLowerCase();
    const name = names.get(lowerCase) ?? sent;
    names.set(lowerCase, name);
    return name;
  });
}
