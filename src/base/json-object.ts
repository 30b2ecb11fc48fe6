/** JSON objects, as opposed to arrays and `null`. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Freezes a JSON value with everything in it, and returns it. */
export function freezeDeeply<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) freezeDeeply(member);
    Object.freeze(value);
  }
  return value;
}
