/** Resolves JSON pointers within a schema (RFC 6901). */

/** Resolves a URI fragment such as `#/$defs/name`; `undefined` where it leads to nothing. */
export function resolvePointer(root: unknown, fragment: string): unknown {
  let found: unknown = root;
  for (const part of fragment.split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
