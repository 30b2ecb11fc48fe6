/** Arguments of a call, for formats that have them as an object. */

import { isObject, type JsonObject } from '#base/json-object.js';

/** Returns a text that is no JSON unchanged, and an empty object for an empty text. */
export function parsedArguments(text: string): JsonObject | string {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
