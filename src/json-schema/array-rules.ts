/** Keywords about arrays. */

import type { JsonObject } from '../base/json-object.js';
import { canonicalText } from './equal.js';
import type { Rule, SchemaRun } from './rule.js';

const maxItems: Rule = {
  check: (limit, value) => !Array.isArray(value) || value.length <= (limit as number),
  message: (limit) => `must NOT have more than ${limit} items`,
};

const minItems: Rule = {
  check: (limit, value) => !Array.isArray(value) || value.length >= (limit as number),
  message: (limit) => `must NOT have fewer than ${limit} items`,
};

/** Adding to a large set costs as much as so many checks. */
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
    const schemas = wanted as readonly unknown[];
    const count = Math.min(schemas.length, value.length);
    evaluated?.addItemsBefore(count);
    let isValid = true;
    for (let index = 0; index < count; index++) {
      if (run.checkChild(index, schemas[index], value[index])) continue;
      isValid = false;
      if (!run.isCollecting) return false;
    }
    return isValid;
  },
};

const items: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!Array.isArray(value)) return true;
    const start = prefixOf(schema);
    evaluated?.addItemsBefore(value.length);
    if (wanted === false && start > 0 && value.length > start) return tooMany(value, schema, run);
    let isValid = true;
    for (let index = start; index < value.length; index++) {
      if (run.checkChild(index, wanted, value[index])) continue;
      isValid = false;
      if (!run.isCollecting) return false;
    }
    return isValid;
  },
};

function prefixOf({ prefixItems: prefix }: JsonObject): number {
  return Array.isArray(prefix) ? prefix.length : 0;
}

function tooMany(value: readonly unknown[], schema: JsonObject, run: SchemaRun): false {
  if (run.isCollecting) {
    const message = `must NOT have more than ${prefixOf(schema)} items`;
    run.report({ keyword: 'items', message, schema, data: value });
  }
  return false;
}

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

function containsLimits({ minContains = 1, maxContains }: JsonObject) {
  return {
    min: minContains as number,
    max: (maxContains as number | undefined) ?? Number.POSITIVE_INFINITY,
  };
}

const unevaluatedItems: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!Array.isArray(value) || evaluated === undefined) return true;
    let isValid = true;
    for (const [index, item] of value.entries()) {
      run.budget.spend(1);
      if (evaluated.hasItem(index)) continue;
      if (wanted === false) {
        if (run.isCollecting) {
          const message = `must NOT have more than ${index} items`;
          run.report({ keyword: 'unevaluatedItems', message, schema, data: value });
        }
        return false;
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
  maxItems,
  minItems,
  uniqueItems,
  prefixItems,
  items,
  contains,
};

export { unevaluatedItems };
