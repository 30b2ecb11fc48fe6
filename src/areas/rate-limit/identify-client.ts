/** Whose requests are counted together. */

import { isUtf8 } from 'node:buffer';

/** Longer names are cut, so that what is remembered of a client stays small. */
export const maxNameLength = 256;

/** `id:` and the name that a client gives itself, else `ip:` and its address. */
export function identifyClient(name: string | undefined, address: string): string {
  if (!name) return `ip:${address.slice(0, maxNameLength)}`;
  // Headers are read as Latin-1; most clients write UTF-8.
  const bytes = Buffer.from(name, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : name;
  return `id:${cut(text)}`;
}

function cut(text: string): string {
  if (text.length <= maxNameLength) return text;
  // Not through the middle of a character, which would leave half of one.
  const end = /[\uD800-\uDBFF]/.test(text[maxNameLength - 1] ?? '')
    ? maxNameLength - 1
    : maxNameLength;
  return text.slice(0, end);
}
