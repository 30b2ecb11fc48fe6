/** Accepts callers' JSON Schemas (draft 2020-12) whose cost is limited by their size. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { knownFormats } from './formats.js';
import { draft, type Form, formOf, typeNames } from './keywords.js';
import { patternFault } from './pattern.js';
import { patternParts } from './pattern-parts.js';
import { hasEndless, referenceFault, targetOf } from './references.js';

/**
 * Maximum parts of all schemas of one caller's data; the operator may allow more. A part is a
 * keyword, a list item or a name, also in `$defs`, `enum` and `examples`; the target of a `$ref`
 * counts once. A pattern counts as more, the first time, because it is compiled once.
 */
export const defaultMaxParts = 2000;

/** Limit for names and texts of all schemas together, which messages quote. */
const maxCharacters = 256 * 1024;

const maxSchemaFaults = 20;

/** Limit for nested schemas, including references, which use the stack. */
const maxDepth = 100;

/** Limit for nested objects and arrays of the text. */
const maxTextDepth = 40;

export interface SchemaFault {
  readonly path: readonly (string | number)[];
  /** Follows the path in the message. */
  readonly what: string;
}

export interface AdmissionRules {
  readonly maxParts?: number | undefined;
  /** Accepts other formats and these keywords, which only annotate. By default, they are faults. */
  readonly isAnnotation?: ((keyword: string) => boolean) | undefined;
  /** Accepts schemas of values that contain values of the same schema, such as trees. */
  readonly allowsRecursion?: true;
}

/** Returns the faults of named schemas. Paths begin with the name. */
export function admitSchemas(
  schemas: JsonObject,
  { maxParts = defaultMaxParts, ...rules }: AdmissionRules = {},
): readonly SchemaFault[] {
  const tooLarge = sizeFault(schemas, maxParts);
  if (tooLarge !== undefined) return [tooLarge];
  const faults: SchemaFault[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const admission = new Admission(schema, maxSchemaFaults - faults.length, rules);
    admission.visitAll();
    faults.push(...admission.faults.map(({ path, what }) => ({ path: [name, ...path], what })));
    if (faults.length >= maxSchemaFaults) break;
  }
  return faults;
}

function sizeFault(schemas: JsonObject, maxParts: number): SchemaFault | undefined {
  let parts = 0;
  let characters = 0;
  let isDeep = false;
  const patterns = new Set<string>();
  function partsOfPattern(pattern: unknown): number {
    if (typeof pattern !== 'string' || patterns.has(pattern)) return 1;
    patterns.add(pattern);
    return patternParts(pattern);
  }
  function partsOf(name: string, value: unknown): number {
    if (name === 'pattern') return partsOfPattern(value);
    if (name !== 'patternProperties' || !isObject(value)) return 1;
    return Object.keys(value).reduce((sum, pattern) => sum + partsOfPattern(pattern), 1);
  }
  function count(value: unknown, depth: number): void {
    if (parts > maxParts || isDeep) return;
    if (typeof value === 'string') characters += value.length;
    if (Array.isArray(value)) {
      isDeep = depth > maxTextDepth;
      for (const item of value) countPart(item, 1, depth);
    } else if (isObject(value)) {
      isDeep = depth > maxTextDepth;
      for (const name of Object.keys(value)) {
        characters += name.length;
        countPart(value[name], partsOf(name, value[name]), depth);
      }
    }
  }
  function countPart(value: unknown, own: number, depth: number): void {
    parts += own;
    count(value, depth + 1);
  }
  count(schemas, 0);
  if (isDeep) return { path: [], what: `are nested deeper than ${maxTextDepth} levels` };
  if (characters > maxCharacters) {
    return { path: [], what: `have more than ${maxCharacters} characters of names and texts` };
  }
  if (parts <= maxParts) return undefined;
  return {
    path: [],
    what: `have more than ${maxParts} parts; each keyword, list item and name is one, a pattern more`,
  };
}

type Path = readonly (string | number)[];

class Admission {
  readonly faults: SchemaFault[] = [];
  readonly #root: unknown;
  readonly #maxFaults: number;
  readonly #isAnnotation: AdmissionRules['isAnnotation'];
  readonly #allowsRecursion: boolean;
  /** Schemas of `$defs` apply only where a reference points to them. */
  readonly #definitions: { readonly schema: unknown; readonly path: Path }[] = [];
  /** Levels of visited schemas; infinite during the visit. */
  readonly #depths = new Map<object, number>();

  constructor(root: unknown, maxFaults: number, rules: AdmissionRules) {
    this.#root = root;
    this.#maxFaults = maxFaults;
    this.#isAnnotation = rules.isAnnotation;
    this.#allowsRecursion = rules.allowsRecursion === true;
  }

  visitAll(): void {
    this.#visit(this.#root, [], 0);
    for (const { schema, path } of this.#definitions) this.#visit(schema, path, 0);
    const isSound = this.#allowsRecursion && this.faults.length === 0;
    if (isSound && hasEndless(this.#root, this.#depths.keys())) {
      this.#fault([], 'must not refer back to itself for the same value');
    }
  }

  #fault(path: Path, what: string): void {
    if (this.faults.length < this.#maxFaults) this.faults.push({ path, what });
  }

  #visit(schema: unknown, path: Path, above: number): number {
    if (typeof schema === 'boolean') return 1;
    if (!isObject(schema)) {
      this.#fault(path, 'must be a JSON Schema: an object, true or false');
      return 1;
    }
    if (this.faults.length >= this.#maxFaults) return 1;
    const known = this.#depths.get(schema);
    if (known !== undefined) return known;
    if (above > maxDepth) return 1 + maxDepth;
    this.#depths.set(schema, Number.POSITIVE_INFINITY);
    let depth = 0;
    for (const [keyword, value] of Object.entries(schema)) {
      const form = this.#formOf(keyword);
      const at = [...path, keyword];
      if (form === undefined) this.#fault(at, unknownKeyword(keyword));
      else if (form === 'reference') depth = Math.max(depth, this.#follow(schema, at, above));
      else depth = Math.max(depth, this.#visitValue(form, keyword, value, at, above));
    }
    this.#depths.set(schema, depth + 1);
    if (above === 0 && depth >= maxDepth) {
      this.#fault(path, `is nested deeper than ${maxDepth} levels, references included`);
    }
    return depth + 1;
  }

  #formOf(keyword: string): Form | undefined {
    if (this.#isAnnotation === undefined) return formOf.get(keyword);
    if (keyword === 'format' || this.#isAnnotation(keyword)) return 'anything';
    return formOf.get(keyword);
  }

  #visitValue(form: Form, keyword: string, value: unknown, at: Path, above: number): number {
    if (form === 'schema') return this.#visit(value, at, above + 1);
    if (form === 'schemas') return this.#visitList(value, at, above);
    if (form === 'named schemas') return this.#visitNamed(keyword, value, at, above);
    const what = valueFault(form, value);
    if (what !== undefined) this.#fault(at, what);
    return 0;
  }

  #visitList(value: unknown, at: Path, above: number): number {
    if (!Array.isArray(value)) {
      this.#fault(at, 'must be an array');
      return 0;
    }
    return highest(value.map((each, index) => this.#visit(each, [...at, index], above + 1)));
  }

  #visitNamed(keyword: string, value: unknown, at: Path, above: number): number {
    if (!isObject(value)) {
      this.#fault(at, 'must be an object');
      return 0;
    }
    const entries = Object.entries(value).map(([name, schema]) => ({
      schema,
      path: [...at, name],
    }));
    if (keyword === '$defs') {
      this.#definitions.push(...entries);
      return 0;
    }
    if (keyword === 'patternProperties') {
      for (const pattern of Object.keys(value)) {
        const what = patternFault(pattern);
        if (what !== undefined) this.#fault([...at, pattern], what);
      }
    }
    return highest(entries.map(({ schema, path }) => this.#visit(schema, path, above + 1)));
  }

  #follow(schema: JsonObject, at: Path, above: number): number {
    const { $ref: reference } = schema;
    const isText = typeof reference === 'string';
    const what = isText ? referenceFault(reference) : 'must be a reference such as #/$defs/name';
    const target = what === undefined ? targetOf(this.#root, schema) : undefined;
    if (what !== undefined) this.#fault(at, what);
    else if (target === undefined) this.#fault(at, 'does not resolve in its schema');
    else if (isObject(target) && this.#depths.get(target) === Number.POSITIVE_INFINITY) {
      if (!this.#allowsRecursion) this.#fault(at, 'must not refer back to itself');
    } else return this.#visit(target, at, above + 1);
    return 0;
  }
}

function highest(depths: readonly number[]): number {
  return depths.reduce((max, depth) => Math.max(max, depth), 0);
}

function unknownKeyword(keyword: string): string {
  const isIdentity = /^\$(?:id|anchor|dynamic|recursive|vocabulary)/.test(keyword);
  return isIdentity
    ? 'is not supported; refer to #/$defs/name'
    : 'is not a supported keyword of JSON Schema draft 2020-12';
}

function valueFault(form: Form, value: unknown): string | undefined {
  switch (form) {
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number';
    case 'names':
      return areNames(value) ? undefined : 'must be an array of names';
    case 'names by name':
      return isObject(value) && Object.values(value).every(areNames)
        ? undefined
        : 'must be an object of arrays of names';
    case 'values':
      return Array.isArray(value) && value.length > 0
        ? undefined
        : 'must be an array of at least one value';
    case 'type':
      return areTypes(value)
        ? undefined
        : `is not a JSON Schema type: use ${typeNames.join(', ')}, or a list of them`;
    case 'format':
      return knownFormats.includes(String(value))
        ? undefined
        : `must be one of ${knownFormats.join(', ')}`;
    case 'pattern':
      return patternFault(value);
    case 'draft':
      return String(value).replace(/#$/, '') === draft
        ? undefined
        : `must be ${draft}, the only supported draft`;
    default:
      return undefined;
  }
}

function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function areTypes(value: unknown): boolean {
  const types = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((each) => typeNames.includes(each));
}
