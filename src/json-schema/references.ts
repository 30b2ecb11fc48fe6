/** Resolves references (`$ref`) of schemas, each of them once: JSON pointers in fragments (RFC 6901 section 6). */

import { isObject, type JsonObject } from '#base/json-object.js';

/** Targets by the schema that has the `$ref`. A target is `undefined` if the reference does not resolve. */
export type Targets = Map<JsonObject, unknown>;

/** Keyed by the whole schema, in which all of its references resolve. */
const known = new WeakMap<object, Targets>();

/** Returns the resolved references of a whole schema; those that are missing can be added. */
export function targetsIn(root: unknown): Targets {
  if (typeof root !== 'object' || root === null) return new Map();
  const targets = known.get(root) ?? new Map();
  known.set(root, targets);
  return targets;
}

/** Returns what the `$ref` of a schema leads to, which costs a look-up from the second time on. */
export function targetOf(root: unknown, schema: JsonObject, targets = targetsIn(root)): unknown {
  const target = targets.get(schema);
  if (target !== undefined || targets.has(schema)) return target;
  const { $ref: reference } = schema;
  const isSound = typeof reference === 'string' && referenceFault(reference) === undefined;
  const found = isSound ? resolve(root, reference) : undefined;
  targets.set(schema, found);
  return found;
}

/** A percent sign without two hexadecimal digits. */
const malformedPercent = /%(?![\dA-Fa-f]{2}).{0,2}/su;
/** A tilde, perhaps percent-encoded, without 0 or 1 (RFC 6901 section 3). */
const malformedTilde = /(?:~|%7E)(?!0|1|%30|%31).?/isu;
const encoded = /(?:%[\dA-Fa-f]{2})+/g;
const maxShown = 12;

/** Returns the fault of a reference, to follow its name. */
export function referenceFault(reference: string): string | undefined {
  if (!/^#(?:$|\/)/.test(reference)) return 'must point to its own schema, such as #/$defs/name';
  const percent = malformedPercent.exec(reference);
  if (percent !== null) {
    return `has ${placeOf(percent)}: two hexadecimal digits must follow %, as in %25 for %`;
  }
  for (const run of reference.matchAll(encoded)) {
    if (!isUtf8(run[0])) return `has ${placeOf(run)}: the percent-encoded bytes are not UTF-8`;
  }
  const tilde = malformedTilde.exec(reference);
  return tilde === null
    ? undefined
    : `has ${placeOf(tilde)}: 0 or 1 must follow ~, as in ~0 for ~ and ~1 for /`;
}

function placeOf({ 0: text, index }: RegExpExecArray): string {
  return `${JSON.stringify(text.slice(0, maxShown))} at character ${index + 1}`;
}

function isUtf8(percentEncoded: string): boolean {
  try {
    // A bundler removes calls whose result is unused.
    return decodeURIComponent(percentEncoded) !== '';
  } catch {
    return false;
  }
}

/** The reference has no fault. */
function resolve(root: unknown, reference: string): unknown {
  let found: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** Keywords whose schemas are about the same value. */
const lists = ['allOf', 'anyOf', 'oneOf'];
const single = ['not', 'if', 'then', 'else'];

function sameValue(root: unknown, schema: JsonObject): readonly JsonObject[] {
  const { dependentSchemas: named } = schema;
  const all = [
    ...lists.flatMap((name) => schema[name] ?? []),
    ...single.map((name) => schema[name]),
    ...(isObject(named) ? Object.values(named) : []),
    ...('$ref' in schema ? [targetOf(root, schema)] : []),
  ];
  return all.filter(isObject);
}

/**
 * Returns whether one of the schemas refers back to itself for the same value, so that a check would
 * never end. Each is visited once.
 */
export function hasEndless(root: unknown, schemas: Iterable<object>): boolean {
  const done = new Set<object>();
  const open = new Set<object>();
  function isEndless(schema: JsonObject): boolean {
    if (open.has(schema)) return true;
    if (done.has(schema)) return false;
    open.add(schema);
    const found = sameValue(root, schema).some(isEndless);
    open.delete(schema);
    done.add(schema);
    return found;
  }
  for (const schema of schemas) if (isObject(schema) && isEndless(schema)) return true;
  return false;
}
