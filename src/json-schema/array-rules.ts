/** Rules of array keywords. */

import type { JsonObject } from '#base/json-object.js';
import { canonicalText } from './equal.js';
import type { Rule } from './rule.js';

function countRule(word: string, isRight: (count: number, limit: number) => boolean): Rule {
  return {
    check: (limit, value) => !Array.isArray(value) || isRight(value.length, limit as number),
    message: (limit) => `must NOT have ${word} than ${limit} items`,
  };
}

/** Cost of adding to a large set, in checks. */
const checksToAdd = 16;
const charactersPerCheck = 16;

const uniqueItems: Rule = {
  check(isWanted, value, _schema, { budget }) {
    if (isWanted !== true || !Array.isArray(value)) return true;
    const simple = new Set<unknown>();
    const texts = new Set<string>();
    for (const item of value) {
      budget.spend(checksToAdd);
      if (typeof item === 'object' && item !== null) texts.add(canonicalText(item, budget));
      else simple.add(item);
      if (typeof item === 'string') budget.spend(Math.ceil(item.length / charactersPerCheck));
    }
    return simple.size + texts.size === value.length;
  },
  message: () => 'must have items that are all different',
};

const prefixItems: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    if (!Array.isArray(value)) return true;
    const schemas = (wanted as readonly unknown[]).slice(0, value.length);
    evaluated?.addItemsBefore(schemas.length);
    return run.all(schemas.entries(), ([index, schema]) =>
      run.checkChild(index, schema, value[index]),
    );
  },
};

const items: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!Array.isArray(value)) return true;
    const { prefixItems: prefix } = schema;
    const start = Array.isArray(prefix) ? prefix.length : 0;
    evaluated?.addItemsBefore(value.length);
    if (wanted === false && start > 0 && value.length > start) {
      const message = `must NOT have more than ${start} items`;
      return run.report({ keyword: 'items', message, schema, data: value });
    }
    let isValid = true;
    for (let index = start; index < value.length; index++) {
      if (run.checkChild(index, wanted, value[index])) continue;
      isValid = false;
      if (!run.isCollecting) return false;
    }
    return isValid;
  },
};

const contains: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!Array.isArray(value)) return true;
    const { min, max } = containsLimits(schema);
    let found = 0;
    for (const [index, item] of value.entries()) {
      run.budget.spend(1);
      if (!run.passes(wanted, item, undefined)) continue;
      evaluated?.addItem(index);
      found++;
      if (found > max || (found >= min && max === Number.POSITIVE_INFINITY && !evaluated)) break;
    }
    return found >= min && found <= max;
  },
  message(_wanted, _value, schema) {
    const { min, max } = containsLimits(schema);
    const most = max === Number.POSITIVE_INFINITY ? '' : ` and no more than ${max}`;
    return `must contain at least ${min}${most} valid item(s)`;
  },
};

function containsLimits({ minContains = 1, maxContains = Number.POSITIVE_INFINITY }: JsonObject) {
  return { min: minContains as number, max: maxContains as number };
}

export const unevaluatedItems: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!Array.isArray(value) || evaluated === undefined) return true;
    let isValid = true;
    for (const [index, item] of value.entries()) {
      run.budget.spend(1);
      if (evaluated.hasItem(index)) continue;
      if (wanted === false) {
        const message = `must NOT have more than ${index} items`;
        return run.report({ keyword: 'unevaluatedItems', message, schema, data: value });
      }
      if (run.checkChild(index, wanted, item)) continue;
      isValid = false;
      if (!run.isCollecting) return false;
    }
    evaluated.addItemsBefore(value.length);
    return isValid;
  },
};

export const arrayRules: Readonly<Record<string, Rule>> = {
  maxItems: countRule('more', (count, limit) => count <= limit),
  minItems: countRule('fewer', (count, limit) => count >= limit),
  uniqueItems,
  prefixItems,
  items,
  contains,
};
