/** Identifies the client that requests are counted for. */

import { isUtf8 } from 'node:buffer';

/** Longer names are truncated, so that stored clients stay small. */
export const maxNameLength = 256;

/** Returns `id:` and the name that the client sends, or `ip:` and its IP address. */
export function identifyClient(name: string | undefined, address: string): string {
  if (!name) return `ip:${address.slice(0, maxNameLength)}`;
  // Headers are read as Latin-1; most clients write UTF-8.
  const bytes = Buffer.from(name, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : name;
  return `id:${cut(text)}`;
}

function cut(text: string): string {
  if (text.length <= maxNameLength) return text;
  // Truncating inside a surrogate pair would leave half a character.
  const end = /[\uD800-\uDBFF]/.test(text[maxNameLength - 1] ?? '')
    ? maxNameLength - 1
    : maxNameLength;
  return text.slice(0, end);
}
