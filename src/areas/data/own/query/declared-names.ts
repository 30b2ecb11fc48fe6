/** The names of fields that a caller's schema declares. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { targetOf } from '#json-schema/references.js';
import type { ClosedNames } from './open-fields.js';

const applicators = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];
const maxDepth = 20;
const maxNames = 2000;
/** Names of filters are shorter, because URLs are. */
const maxLength = 1000;

/** Returns the names that a schema declares, nested ones with dots; `undefined` if it declares no properties. */
export function declaredNames(schema: unknown, idName: string): ClosedNames | undefined {
  const found = new Map<string, 'open' | 'closed'>();
  const seen = new Map<JsonObject, Set<string>>();

  function look(value: unknown, outer: string, depth: number): void {
    if (!isObject(value) || depth > maxDepth || found.size > maxNames) return;
    if (typeof value.$ref === 'string') follow(value, outer, depth);
    for (const keyword of applicators) {
      const inner = value[keyword];
      const all = Array.isArray(inner)
        ? inner
        : keyword === 'dependentSchemas'
          ? valuesOf(inner)
          : [inner];
      for (const each of all) look(each, outer, depth + 1);
    }
    if (!isObject(value.properties)) return;
    if (outer !== '') found.set(outer.slice(0, -1), 'closed');
    for (const [name, property] of Object.entries(value.properties)) {
      const path = outer + name;
      if (path.length > maxLength) continue;
      if (!found.has(path)) found.set(path, 'open');
      look(property, `${path}.`, depth + 1);
    }
  }
  /** Looks at a target once for each path that leads to it. */
  function follow(value: JsonObject, outer: string, depth: number): void {
    const target = targetOf(schema, value);
    if (!isObject(target)) return;
    const paths = seen.get(target) ?? new Set();
    seen.set(target, paths);
    if (!paths.has(outer)) look(paths.add(outer) && target, outer, depth + 1);
  }
  look(schema, '', 0);
  if (found.size === 0) return undefined;
  if (!found.has(idName)) found.set(idName, 'closed');
  return { names: [...found.keys()], has: (name) => isDeclared(found, name) };
}

const valuesOf = (value: unknown) => (isObject(value) ? Object.values(value) : []);

/** Fields without declared members may have any nested names. */
function isDeclared(found: ReadonlyMap<string, 'open' | 'closed'>, name: string): boolean {
  if (found.has(name)) return true;
  for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
    const kind = found.get(name.slice(0, end));
    if (kind !== undefined) return kind === 'open';
  }
  return false;
}
