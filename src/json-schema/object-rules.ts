/** Keywords about objects. */

import { isObject, type JsonObject } from '../base/json-object.js';
import { matchesPattern } from './pattern.js';
import type { Rule, SchemaRun } from './rule.js';

function countRule(word: string, isRight: (count: number, limit: number) => boolean): Rule {
  return {
    check: (limit, value, _schema, run) =>
      !isObject(value) || isRight(run.namesOf(value).length, limit as number),
    message: (limit) => `must NOT have ${word} than ${limit} properties`,
  };
}

const required: Rule = {
  check(wanted, value, schema, run) {
    if (!isObject(value)) return true;
    const names = wanted as readonly string[];
    let isValid = true;
    for (const name of names) {
      run.budget.spend(1);
      if (Object.hasOwn(value, name)) continue;
      isValid = false;
      if (!run.isCollecting) return false;
      run.report({
        keyword: 'required',
        message: `must have required property '${name}'`,
        schema,
        data: value,
        params: { missingProperty: name },
      });
    }
    return isValid;
  },
};

const dependentRequired: Rule = {
  check(wanted, value, schema, run) {
    if (!isObject(value)) return true;
    let isValid = true;
    const others = wanted as Readonly<Record<string, readonly string[]>>;
    for (const name of run.namesOf(others)) {
      run.budget.spend(2);
      if (!Object.hasOwn(value, name)) continue;
      const names = others[name] ?? [];
      run.budget.spend(names.length);
      const missing = names.find((other) => !Object.hasOwn(value, other));
      if (missing === undefined) continue;
      isValid = false;
      if (!run.isCollecting) return false;
      const message = `must have property ${missing} when property ${name} is present`;
      run.report({ keyword: 'dependentRequired', message, schema, data: value });
    }
    return isValid;
  },
};

const dependentSchemas: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    if (!isObject(value)) return true;
    let isValid = true;
    const schemas = wanted as JsonObject;
    for (const name of run.namesOf(schemas)) {
      run.budget.spend(2);
      if (!Object.hasOwn(value, name) || run.check(schemas[name], value, evaluated)) continue;
      isValid = false;
      if (!run.isCollecting) return false;
    }
    return isValid;
  },
};

const properties: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    if (!isObject(value)) return true;
    const schemas = wanted as JsonObject;
    let isValid = true;
    for (const name of run.namesOf(schemas)) {
      run.budget.spend(1);
      if (!Object.hasOwn(value, name)) continue;
      evaluated?.addName(name);
      if (run.checkChild(name, schemas[name], value[name])) continue;
      isValid = false;
      if (!run.isCollecting) return false;
    }
    return isValid;
  },
};

const patternProperties: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    if (!isObject(value)) return true;
    const schemas = wanted as JsonObject;
    let isValid = true;
    for (const name of run.namesOf(value)) {
      for (const pattern of run.namesOf(schemas)) {
        if (!matchesPattern(name, pattern, run.budget)) continue;
        evaluated?.addName(name);
        if (run.checkChild(name, schemas[pattern], value[name])) continue;
        isValid = false;
        if (!run.isCollecting) return false;
      }
    }
    return isValid;
  },
};

const additionalProperties: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!isObject(value)) return true;
    evaluated?.addAllNames();
    if (wanted === true) return true;
    let isValid = true;
    for (const name of run.namesOf(value)) {
      run.budget.spend(2);
      if (isCovered(name, schema, run)) continue;
      const isAllowed = wanted !== false && run.checkChild(name, wanted, value[name]);
      if (isAllowed) continue;
      isValid = false;
      if (!run.isCollecting) return false;
      if (wanted === false) {
        run.report({
          keyword: 'additionalProperties',
          message: 'must NOT have additional properties',
          schema,
          data: value,
          params: { additionalProperty: name },
        });
      }
    }
    return isValid;
  },
};

function isCovered(
  name: string,
  { properties: named, patternProperties: patterns }: JsonObject,
  run: SchemaRun,
): boolean {
  if (isObject(named) && Object.hasOwn(named, name)) return true;
  if (!isObject(patterns)) return false;
  return run.namesOf(patterns).some((pattern) => matchesPattern(name, pattern, run.budget));
}

const propertyNames: Rule = {
  check(wanted, value, schema, run) {
    if (!isObject(value)) return true;
    let isValid = true;
    for (const name of run.namesOf(value)) {
      run.budget.spend(1);
      if (run.check(wanted, name, undefined)) continue;
      isValid = false;
      if (!run.isCollecting) return false;
      const message = 'property name must be valid';
      run.report({ keyword: 'propertyNames', message, schema, data: value });
    }
    return isValid;
  },
};

export const unevaluatedProperties: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!isObject(value) || evaluated === undefined) return true;
    let isValid = true;
    for (const name of run.namesOf(value)) {
      run.budget.spend(1);
      if (evaluated.hasName(name)) continue;
      if (wanted !== false && run.checkChild(name, wanted, value[name])) continue;
      isValid = false;
      if (!run.isCollecting) return false;
      if (wanted === false) {
        const message = 'must NOT have unevaluated properties';
        run.report({ keyword: 'unevaluatedProperties', message, schema, data: value });
      }
    }
    evaluated.addAllNames();
    return isValid;
  },
};

export const objectRules: Readonly<Record<string, Rule>> = {
  maxProperties: countRule('more', (count, limit) => count <= limit),
  minProperties: countRule('fewer', (count, limit) => count >= limit),
  required,
  dependentRequired,
  dependentSchemas,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
};
