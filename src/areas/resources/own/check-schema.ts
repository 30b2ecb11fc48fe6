/**
 * Which JSON Schemas (draft 2020-12) callers may have their records checked by: those whose cost can be
 * told from their size. A schema is a program that strangers write.
 */

import { patternFault } from './safe-pattern.js';

type JsonSchema = Readonly<Record<string, unknown>>;

export interface SchemaFault {
  readonly path: readonly (string | number)[];
  /** To be read after the name of what is there. */
  readonly what: string;
}

/** Of all schemas together, each counted as often as it is referred to: so much code is made of them. */
export const maxSchemaNodes = 500;

/** A pattern takes as long to compile as so many others. */
const patternNodes = 5;

/** The keywords whose values are schemas, by the form they come in. */
const forms: Readonly<Record<string, 'one' | 'list' | 'named'>> = {
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  not: 'one',
  if: 'one',
  then: 'one',
  else: 'one',
  items: 'one',
  contains: 'one',
  additionalProperties: 'one',
  unevaluatedProperties: 'one',
  unevaluatedItems: 'one',
  propertyNames: 'one',
  properties: 'named',
  patternProperties: 'named',
  dependentSchemas: 'named',
  $defs: 'named',
};

const plainKeywords = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'required', 'dependentRequired', '$ref'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minContains', 'maxContains', 'minProperties', 'maxProperties'],
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$comment', '$schema', 'contentEncoding', 'contentMediaType', 'contentSchema'],
]);

const draft = 'https://json-schema.org/draft/2020-12/schema';

export const knownFormats: readonly string[] = [
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'uuid', 'json-pointer'],
];

/** What is wrong with a schema, and how many nodes it has. */
export function checkSchema(root: unknown): {
  readonly faults: SchemaFault[];
  readonly nodes: number;
} {
  const faults: SchemaFault[] = [];
  let nodes = 0;

  function visit(schema: unknown, path: readonly (string | number)[], refs: readonly string[]) {
    if (++nodes > maxSchemaNodes || typeof schema === 'boolean') return;
    if (!isObject(schema)) {
      faults.push({ path, what: 'must be a JSON Schema: an object, true or false' });
      return;
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const at = [...path, keyword];
      const form = Object.hasOwn(forms, keyword) ? forms[keyword] : undefined;
      if (form !== undefined) visitParts(form, keyword, value, at, refs);
      else if (!plainKeywords.has(keyword))
        faults.push({ path: at, what: unknownKeyword(keyword) });
      else checkPlain(keyword, value, at, refs);
    }
  }

  function visitParts(
    form: 'one' | 'list' | 'named',
    keyword: string,
    value: unknown,
    at: readonly (string | number)[],
    refs: readonly string[],
  ) {
    // What is defined costs where it is referred to.
    if (keyword === '$defs') return;
    if (form === 'one') visit(value, at, refs);
    else if (form === 'list' && Array.isArray(value)) {
      for (const [index, each] of value.entries()) visit(each, [...at, index], refs);
    } else if (form === 'named' && isObject(value)) {
      for (const [name, each] of Object.entries(value)) {
        if (keyword === 'patternProperties') checkPattern(name, [...at, name]);
        visit(each, [...at, name], refs);
      }
    } else faults.push({ path: at, what: `must be ${form === 'list' ? 'an array' : 'an object'}` });
  }

  function checkPlain(
    keyword: string,
    value: unknown,
    path: readonly (string | number)[],
    refs: readonly string[],
  ) {
    if (keyword === '$ref') follow(value, path, refs);
    else if (keyword === 'pattern') checkPattern(value, path);
    else if (keyword === 'enum' && Array.isArray(value)) nodes += value.length;
    else if (keyword === 'format' && !knownFormats.includes(String(value))) {
      faults.push({ path, what: `must be one of ${knownFormats.join(', ')}` });
    } else if (keyword === '$schema' && String(value).replace(/#$/, '') !== draft) {
      faults.push({ path, what: `must be ${draft}, the one draft that is supported` });
    }
  }

  function checkPattern(pattern: unknown, path: readonly (string | number)[]) {
    nodes += patternNodes;
    if (nodes > maxSchemaNodes) return;
    const what = patternFault(pattern);
    if (what !== undefined) faults.push({ path, what });
  }

  function follow(ref: unknown, path: readonly (string | number)[], refs: readonly string[]) {
    if (typeof ref !== 'string' || !/^#(?:$|\/)/.test(ref)) {
      faults.push({ path, what: 'must point into its own schema, such as #/$defs/name' });
    } else if (refs.includes(ref) || ref === '#') {
      faults.push({ path, what: 'must not lead back to itself' });
    } else {
      const target = resolvePointer(root, ref.slice(1));
      if (target === undefined) faults.push({ path, what: 'points at nothing in its schema' });
      else visit(target, path, [...refs, ref]);
    }
  }

  visit(root, [], []);
  return { faults, nodes };
}

function unknownKeyword(keyword: string): string {
  const isIdentity = /^\$(?:id|anchor|dynamic|recursive|vocabulary)/.test(keyword);
  return isIdentity
    ? 'is not supported; refer to #/$defs/name'
    : 'is no keyword of JSON Schema draft 2020-12 that is supported';
}

/** RFC 6901. Only within the schema itself. */
function resolvePointer(root: unknown, pointer: string): unknown {
  let found: unknown = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as JsonSchema)[name];
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
