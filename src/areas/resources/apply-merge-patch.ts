/** JSON merge patches: RFC 7396. */

/** What the patch makes of the target, neither of which is changed. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, applyMergePatch(merged.get(name), value));
  }
  // Makes own members of whatever names there are, `__proto__` among them.
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
