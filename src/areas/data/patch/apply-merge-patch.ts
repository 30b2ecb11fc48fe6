/** JSON merge patches: RFC 7396. */

import { isObject } from '#base/json-object.js';

/** Returns the patched target; does not change its arguments. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) {
      delete merged[name];
      continue;
    }
    const value = applyMergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, change);
    // An assignment to `__proto__` would not create a member.
    if (name !== '__proto__') merged[name] = value;
    else Object.defineProperty(merged, name, { value, ...ownMember });
  }
  return merged;
}

const ownMember = { enumerable: true, writable: true, configurable: true };
