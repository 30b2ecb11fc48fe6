/** JSON Pointers: RFC 6901. */

const pointer = /^(?:\/(?:[^~/]|~[01])*)*$/;

export const pointerForm =
  'a JSON Pointer: empty, or names that each follow a slash, with ~1 for a slash and ~0 for a tilde in them';

/** The names that a pointer leads through; `undefined` when the text is no pointer. */
export function parseJsonPointer(text: string): readonly string[] | undefined {
  if (!pointer.test(text)) return undefined;
  const names = text.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function writeJsonPointer(names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
