/** Finds members of values by paths such as `author.name` and `tags[0]`. */

/** Returns the path for a name in a value. A member with exactly that name has priority. */
function pathIn(value: unknown, name: string): readonly string[] {
  if (hasMember(value, name)) return [name];
  return name.replace(/\[["']?([^\]"']*)["']?\]/g, '.$1').split('.');
}

function hasMember(value: unknown, name: string): boolean {
  return value !== null && value !== undefined && Object.hasOwn(Object(value), name);
}

export function hasMemberAt(value: unknown, name: string): boolean {
  let inner = value;
  for (const part of pathIn(value, name)) {
    if (!hasMember(inner, part)) return false;
    inner = (inner as Readonly<Record<string, unknown>>)[part];
  }
  return true;
}

export function memberAt(value: unknown, name: string): unknown {
  let inner = value;
  for (const part of pathIn(value, name)) {
    if (!hasMember(inner, part)) return undefined;
    inner = (inner as Readonly<Record<string, unknown>>)[part];
  }
  return inner;
}
