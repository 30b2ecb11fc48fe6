/**
 * Checks values by JSON Schemas that {@link admitSchemas} accepts, without compiling, and counts
 * every check.
 */

import { isObject, type JsonObject } from '#base/json-object.js';
import { cutText } from '#base/text/cut-text.js';
import { arrayRules, unevaluatedItems } from './array-rules.js';
import { type CheckBudget, ChecksExceeded } from './budget.js';
import { combiningRules } from './combining-rules.js';
import { Evaluated } from './evaluated.js';
import { objectRules, unevaluatedProperties } from './object-rules.js';
import { type Targets, targetOf, targetsIn } from './references.js';
import type { ReportedFault, Rule, SchemaRun } from './rule.js';
import { scalarRules } from './scalar-rules.js';

export interface ValueFault {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema: unknown;
  readonly parentSchema: JsonObject;
  readonly data: unknown;
}

export type Checked =
  | { readonly isValid: true }
  | { readonly isValid: false; readonly faults: readonly ValueFault[] }
  /** The value needs more checks than the budget has. */
  | { readonly isValid: undefined };

/** Finds the faults of a value, up to the remaining budget; `schema` may be a part of the root. */
export function findFaults(
  root: unknown,
  value: unknown,
  budget: CheckBudget,
  schema: unknown = root,
): Checked {
  try {
    // Most values are valid, so faults are collected only in a second run.
    if (new Run(root, budget).check(schema, value, undefined)) return { isValid: true };
  } catch (error) {
    if (error instanceof ChecksExceeded) return { isValid: undefined };
    throw error;
  }
  const faults: ValueFault[] = [];
  try {
    if (budget.faultsLeft > 0) new Run(root, budget, faults).check(schema, value, undefined);
  } catch (error) {
    if (!(error instanceof ChecksExceeded || error instanceof EnoughFaults)) throw error;
    if (faults.length === 0) return { isValid: undefined };
  }
  budget.countFaults(faults.length);
  return { isValid: false, faults };
}

class EnoughFaults extends Error {}

const rules = Object.entries({ ...scalarRules, ...combiningRules, ...arrayRules, ...objectRules });

/** Order of faults: first of a value, then of its members, missing members first. */
const order = [
  ...['type', 'maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf'],
  ...['maxLength', 'minLength', 'pattern', 'format'],
  ...['$ref', 'const', 'enum', 'not', 'anyOf', 'oneOf', 'allOf', 'if'],
  ...['maxItems', 'minItems', 'uniqueItems', 'prefixItems', 'items', 'contains'],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired'],
  ...['propertyNames', 'additionalProperties', 'dependentSchemas', 'properties'],
  'patternProperties',
];

interface RankedRule {
  readonly rule: Rule;
  readonly rank: number;
}

const ranked: ReadonlyMap<string, RankedRule> = new Map(
  rules.map(([keyword, rule]) => [keyword, { rule, rank: order.indexOf(keyword) }]),
);

interface Step extends RankedRule {
  readonly keyword: string;
  readonly wanted: unknown;
}

/** A schema as a list of rules. */
interface Plan {
  readonly steps: readonly Step[];
  readonly members: unknown;
  readonly items: unknown;
}

function planOf(schema: JsonObject, isInOrder: boolean): Plan {
  const steps: Step[] = [];
  for (const keyword of Object.keys(schema)) {
    const known = ranked.get(keyword);
    if (known === undefined) continue;
    steps.push({ keyword, rule: known.rule, rank: known.rank, wanted: schema[keyword] });
  }
  if (isInOrder && steps.length > 1) steps.sort((a, b) => a.rank - b.rank);
  return { steps, members: schema.unevaluatedProperties, items: schema.unevaluatedItems };
}

/** After this many visits, schemas are likely to be visited again. */
const manyVisits = 100;

/** Shorter lists of names are cheap to create again. */
const manyNames = 64;

class Run implements SchemaRun {
  readonly budget: CheckBudget;
  isCollecting: boolean;
  readonly #root: unknown;
  readonly #faults: ValueFault[] | undefined;
  readonly #path: (string | number)[] = [];
  #names: Map<JsonObject, readonly string[]> | undefined;
  #targets: Targets | undefined;
  #plans: Map<JsonObject, Plan> | undefined;
  #visits = 0;

  constructor(root: unknown, budget: CheckBudget, faults?: ValueFault[]) {
    this.#root = root;
    this.budget = budget;
    this.#faults = faults;
    this.isCollecting = faults !== undefined;
  }

  namesOf(object: JsonObject): readonly string[] {
    const known = this.#names?.get(object);
    if (known !== undefined) return known;
    const names = Object.keys(object);
    this.budget.spend(2 * names.length);
    if (names.length < manyNames) return names;
    this.#names ??= new Map();
    this.#names.set(object, names);
    return names;
  }

  check(schema: unknown, value: unknown, outer: Evaluated | undefined): boolean {
    this.budget.spend(1);
    if (schema === true) return true;
    if (!isObject(schema)) {
      const message = 'boolean schema is false';
      return this.report({ keyword: 'false schema', message, schema: {}, data: value });
    }
    const { steps, members, items } = this.#plans?.get(schema) ?? this.#newPlan(schema);
    const isTracked = outer !== undefined || members !== undefined || items !== undefined;
    const evaluated = isTracked ? new Evaluated(this.budget) : undefined;
    let isValid = this.#checkRules(steps, schema, value, evaluated);
    if (!isValid && !this.isCollecting) return false;
    if (items !== undefined) {
      isValid = unevaluatedItems.check(items, value, schema, this, evaluated) && isValid;
    }
    if (members !== undefined) {
      isValid = unevaluatedProperties.check(members, value, schema, this, evaluated) && isValid;
    }
    if (isValid && evaluated !== undefined) outer?.addAll(evaluated);
    return isValid;
  }

  #newPlan(schema: JsonObject): Plan {
    const plan = planOf(schema, this.#faults !== undefined);
    this.#visits++;
    if (this.#visits < manyVisits) return plan;
    this.#plans ??= new Map();
    this.#plans.set(schema, plan);
    return plan;
  }

  #checkRules(
    steps: readonly Step[],
    schema: JsonObject,
    value: unknown,
    evaluated: Evaluated | undefined,
  ): boolean {
    let isValid = true;
    for (const { keyword, rule, wanted } of steps) {
      this.budget.spend(1);
      if (rule.check(wanted, value, schema, this, evaluated)) continue;
      if (!this.isCollecting) return false;
      isValid = false;
      const message = rule.message?.(wanted, value, schema);
      if (message !== undefined) this.report({ keyword, message, schema, data: value });
    }
    return isValid;
  }

  passes(schema: unknown, value: unknown, evaluated: Evaluated | undefined): boolean {
    const wasCollecting = this.isCollecting;
    this.isCollecting = false;
    const isValid = this.check(schema, value, evaluated);
    this.isCollecting = wasCollecting;
    return isValid;
  }

  checkChild(step: string | number, schema: unknown, value: unknown): boolean {
    if (!this.isCollecting) return this.check(schema, value, undefined);
    this.#path.push(step);
    const isValid = this.check(schema, value, undefined);
    this.#path.pop();
    return isValid;
  }

  all<Item>(items: Iterable<Item>, check: (item: Item) => boolean): boolean {
    let isValid = true;
    for (const item of items) {
      if (check(item)) continue;
      isValid = false;
      if (!this.isCollecting) break;
    }
    return isValid;
  }

  follow(schema: JsonObject, value: unknown, evaluated: Evaluated | undefined): boolean {
    this.budget.spend(2);
    this.#targets ??= targetsIn(this.#root);
    return this.check(targetOf(this.#root, schema, this.#targets), value, evaluated);
  }

  report({ keyword, message, schema: parentSchema, data, params = {} }: ReportedFault): false {
    if (!this.isCollecting) return false;
    const faults = this.#faults ?? [];
    const instancePath = this.#path.map((step) => `/${escapeStep(String(step))}`).join('');
    const schema = parentSchema[keyword];
    faults.push({ instancePath, keyword, message, params, schema, parentSchema, data });
    if (faults.length >= this.budget.faultsLeft) throw new EnoughFaults();
    return false;
  }
}

/** Longer names are cut, because a name may have a mebibyte. */
const maxStepLength = 200;

function escapeStep(step: string): string {
  return cutText(step, maxStepLength).replaceAll('~', '~0').replaceAll('/', '~1');
}
