/** Compares JSON values as JSON Schema does, ignoring the order of members. */

import { isObject } from '#base/json-object.js';
import type { CheckBudget } from './budget.js';

export function areEqual(one: unknown, other: unknown, budget: CheckBudget): boolean {
  if (typeof one === 'string') return areEqualTexts(one, other, budget);
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    budget.spend(one.length);
    return one.every((item, index) => areEqual(item, other[index], budget));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  const otherNames = Object.keys(other);
  budget.spend(4 * (names.length + otherNames.length));
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(other, name) && areEqual(one[name], other[name], budget))
  );
}

/** Characters that cost as much as a check, when compared or written. */
const comparedPerCheck = 100;
const writtenPerCheck = 4;

function areEqualTexts(one: string, other: unknown, budget: CheckBudget): boolean {
  if (typeof other !== 'string' || one.length !== other.length) return false;
  if (one.length > comparedPerCheck) budget.spend(Math.ceil(one.length / comparedPerCheck));
  return one === other;
}

/** Writes a value as text that is the same for equal values. */
export function canonicalText(value: unknown, budget: CheckBudget): string {
  if (typeof value === 'string') {
    budget.spend(8 + Math.ceil(value.length / writtenPerCheck));
    return JSON.stringify(value);
  }
  budget.spend(8);
  if (Array.isArray(value)) return `[${value.map((each) => canonicalText(each, budget)).join()}]`;
  if (!isObject(value)) return String(value === 0 ? 0 : value);
  const names = Object.keys(value).sort();
  budget.spend(10 * names.length);
  const members = names.map((name) => {
    return `${canonicalText(name, budget)}:${canonicalText(value[name], budget)}`;
  });
  return `{${members.join()}}`;
}
