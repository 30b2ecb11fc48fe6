/** The rule of a keyword, and the functions of the running check that it may use. */

import type { JsonObject } from '#base/json-object.js';
import type { CheckBudget } from './budget.js';
import type { Evaluated } from './evaluated.js';

export interface Rule {
  /** Returns whether a value satisfies the keyword of `schema`. */
  check(
    wanted: unknown,
    value: unknown,
    schema: JsonObject,
    run: SchemaRun,
    evaluated: Evaluated | undefined,
  ): boolean;
  /** Follows the name of the value; absent if the rule reports its faults itself. */
  message?(wanted: unknown, value: unknown, schema: JsonObject): string;
}

export interface SchemaRun {
  readonly budget: CheckBudget;
  /** Whether faults are collected; otherwise the first fault ends the check. */
  readonly isCollecting: boolean;
  /** Returns the names of the members of an object; counts them the first time. */
  namesOf(object: JsonObject): readonly string[];
  /** Checks the same value by another schema. */
  check(schema: unknown, value: unknown, evaluated: Evaluated | undefined): boolean;
  /** Checks without collecting faults. */
  passes(schema: unknown, value: unknown, evaluated: Evaluated | undefined): boolean;
  /** Checks a member or an item of the value. */
  checkChild(step: string | number, schema: unknown, value: unknown): boolean;
  /** Returns whether all items pass a check; without collecting, stops at the first fault. */
  all<Item>(items: Iterable<Item>, check: (item: Item) => boolean): boolean;
  /** Checks the same value by the schema that the `$ref` of a schema leads to. */
  follow(schema: JsonObject, value: unknown, evaluated: Evaluated | undefined): boolean;
  /** Collects a fault, if faults are collected, and returns false. */
  report(fault: ReportedFault): false;
}

export interface ReportedFault {
  readonly keyword: string;
  readonly message: string;
  readonly schema: JsonObject;
  readonly data: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}
