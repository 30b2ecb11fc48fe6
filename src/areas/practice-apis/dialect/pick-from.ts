import type { JsonObject } from '#base/json-object.js';

/** Returns the named members that a value has, in the order of the names. */
export const pickFrom = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]),
  );
