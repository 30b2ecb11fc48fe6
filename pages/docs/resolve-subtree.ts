/**
 * Resolves the references of a part of the description. The viewer's own resolver supports
 * descriptions of many files, and reads the whole again for each opened operation, which needs a
 * second. This description is one file without external references.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Called when an operation is opened; an absent part is `undefined`. */
export function resolveSubtree(
  description: Json,
  path: readonly string[],
): { spec: Json | undefined; errors: never[] } {
  const spec = valueAt(description, path);
  return { spec: spec === undefined ? spec : resolve(spec, description, []), errors: [] };
}

/** A recursive schema, such as a tree, keeps its reference where it repeats. */
function resolve(value: Json, description: Json, within: readonly string[]): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => resolve(each, description, within));
  const { $ref: reference, ...others } = value as { readonly [name: string]: Json };
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    const target = within.includes(reference) ? undefined : valueAt(description, keysOf(reference));
    if (target === undefined) return value;
    const resolved = resolve(target, description, [...within, reference]);
    return { ...(resolved as object), ...others, $$ref: reference };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, resolve(each, description, within)]),
  );
}

/** Parses a reference within the document (RFC 6901). */
function keysOf(reference: string): string[] {
  const keys = reference.slice('#/'.length).split('/');
  return keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as { readonly [name: string]: Json })[key];
  }
  return found;
}
