/**
 * Checks values by JSON Schemas that callers sent and {@link admitSchemas} has admitted. Nothing is compiled, so a schema
 * takes no memory beyond its text, and every check counts before it is made.
 */

import { isObject, type JsonObject } from '../base/json-object.js';
import { cutText } from '../base/text/cut-text.js';
import { arrayRules, unevaluatedItems } from './array-rules.js';
import { type CheckBudget, ChecksExceeded } from './budget.js';
import { combiningRules } from './combining-rules.js';
import { Evaluated } from './evaluated.js';
import { objectRules, unevaluatedProperties } from './object-rules.js';
import { resolvePointer } from './resolve-pointer.js';
import type { ReportedFault, Rule, SchemaRun } from './rule.js';
import { scalarRules } from './scalar-rules.js';

/** Has the members by which faults of the routes' validators are described. */
export interface ValueFault {
  /** A JSON pointer to the value. */
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
  /** The value needs more checks than the budget has, so nothing is known of it. */
  | { readonly isValid: undefined };

/** Finds what is wrong with a value: at most as many faults as the budget has left. */
export function findFaults(root: unknown, value: unknown, budget: CheckBudget): Checked {
  try {
    // Most values are valid: faults are looked for only once there are some.
    if (new Run(root, budget).check(root, value, undefined)) return { isValid: true };
  } catch (error) {
    if (error instanceof ChecksExceeded) return { isValid: undefined };
    throw error;
  }
  const faults: ValueFault[] = [];
  try {
    if (budget.faultsLeft > 0) new Run(root, budget, faults).check(root, value, undefined);
  } catch (error) {
    if (!(error instanceof ChecksExceeded || error instanceof EnoughFaults)) throw error;
    if (faults.length === 0) return { isValid: undefined };
  }
  budget.countFaults(faults.length);
  return { isValid: false, faults };
}

/** Thrown when no more faults can be listed. */
class EnoughFaults extends Error {}

const rules: ReadonlyMap<string, Rule> = new Map(
  Object.entries({ ...scalarRules, ...combiningRules, ...arrayRules, ...objectRules }),
);

/** Lists of fewer names are made again at hardly any cost. */
const manyNames = 64;

class Run implements SchemaRun {
  readonly budget: CheckBudget;
  isCollecting: boolean;
  readonly #root: unknown;
  readonly #faults: ValueFault[] | undefined;
  readonly #path: (string | number)[] = [];
  /** An object of many members makes the list of its names anew each time. */
  #names: Map<JsonObject, readonly string[]> | undefined;

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
    if (!isObject(schema)) return this.#isRejected(value);
    const { unevaluatedProperties: members, unevaluatedItems: items } = schema;
    const isTracked = outer !== undefined || members !== undefined || items !== undefined;
    const evaluated = isTracked ? new Evaluated(this.budget) : undefined;
    let isValid = this.#checkRules(schema, value, evaluated);
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

  #checkRules(schema: JsonObject, value: unknown, evaluated: Evaluated | undefined): boolean {
    let isValid = true;
    for (const keyword in schema) {
      const rule = rules.get(keyword);
      if (rule === undefined) continue;
      this.budget.spend(1);
      const wanted = schema[keyword];
      if (rule.check(wanted, value, schema, this, evaluated)) continue;
      if (!this.isCollecting) return false;
      isValid = false;
      const message = rule.message?.(wanted, value, schema);
      if (message !== undefined) this.report({ keyword, message, schema, data: value });
    }
    return isValid;
  }

  /** Checks by the schema `false`. */
  #isRejected(data: unknown): false {
    const message = 'boolean schema is false';
    if (this.isCollecting) this.report({ keyword: 'false schema', message, schema: {}, data });
    return false;
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

  follow(reference: string, value: unknown, evaluated: Evaluated | undefined): boolean {
    this.budget.spend(10 + 2 * reference.length);
    return this.check(resolvePointer(this.#root, reference), value, evaluated);
  }

  report({ keyword, message, schema, data, params = {} }: ReportedFault): void {
    const faults = this.#faults ?? [];
    const instancePath = this.#path.map((step) => `/${escapeStep(String(step))}`).join('');
    const wanted = schema[keyword];
    faults.push({
      instancePath,
      keyword,
      message,
      params,
      schema: wanted,
      parentSchema: schema,
      data,
    });
    if (faults.length >= this.budget.faultsLeft) throw new EnoughFaults();
  }
}

/** Longer names are cut: a fault tells where it is, and a name may be a mebibyte. */
const maxStepLength = 200;

function escapeStep(step: string): string {
  return cutText(step, maxStepLength).replaceAll('~', '~0').replaceAll('/', '~1');
}
