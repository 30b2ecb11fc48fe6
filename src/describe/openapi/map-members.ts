/** Copies of objects whose members are mapped. */

import type { Steps } from '../../base/run-steps.js';
import type { JsonObject } from './json.js';

type MapMember = (member: JsonObject, key: string) => JsonObject;

export function mapMembers(object: JsonObject, map: MapMember): JsonObject {
  const entries = Object.entries(object).map(([key, member]) => [
    key,
    map(member as JsonObject, key),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the same as `mapMembers`, a member in each step. */
export function* mapInSteps(object: JsonObject, map: MapMember): Steps<JsonObject> {
  const mapped: Record<string, JsonObject> = {};
  for (const [key, member] of Object.entries(object)) {
    mapped[key] = map(member as JsonObject, key);
    yield;
  }
  return mapped;
}
