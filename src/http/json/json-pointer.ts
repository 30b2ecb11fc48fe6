/** JSON Pointers: RFC 6901. */

import { maxJsonDepth } from './parse-json.js';

const pointer = /^(?:\/(?:[^~/]|~[01])*)*$/;

export const pointerForm = `a JSON Pointer: empty, or at most ${maxJsonDepth} names that each follow a slash, with ~1 for a slash and ~0 for a tilde in them`;

/** The names that a pointer leads through; `undefined` when the text is no pointer, or leads deeper than JSON may be. */
export function parseJsonPointer(text: string): readonly string[] | undefined {
  const names = text.split('/', maxJsonDepth + 2).slice(1);
  if (names.length > maxJsonDepth || !pointer.test(text)) return undefined;
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function writeJsonPointer(names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
