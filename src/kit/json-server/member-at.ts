/** Finds members of values by paths such as `author.name` and `tags[0]`. */

function hasMember(value: unknown, name: string): boolean {
  return value !== null && value !== undefined && Object.hasOwn(Object(value), name);
}

export interface MemberReader {
  has(value: unknown): boolean;
  /** Returns `undefined` for an absent member. */
  read(value: unknown): unknown;
}

/** Makes the reader of a name once for many values. A member with exactly that name has priority. */
export function memberReader(name: string): MemberReader {
  const path = name.replace(/\[["']?([^[\]"']*)["']?\]/g, '.$1').split('.');
  function find(value: unknown): { readonly found: unknown } | undefined {
    let inner = value;
    for (const part of hasMember(value, name) ? [name] : path) {
      if (!hasMember(inner, part)) return undefined;
      inner = (inner as Readonly<Record<string, unknown>>)[part];
    }
    return { found: inner };
  }
  return {
    has: (value) => find(value) !== undefined,
    read: (value) => find(value)?.found,
  };
}
