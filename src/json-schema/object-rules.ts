/** Rules of object keywords. */

import { isObject, type JsonObject } from '#base/json-object.js';
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
    return run.all(wanted as readonly string[], (name) => {
      run.budget.spend(1);
      if (Object.hasOwn(value, name)) return true;
      const message = `must have required property '${name}'`;
      const params = { missingProperty: name };
      return run.report({ keyword: 'required', message, schema, data: value, params });
    });
  },
};

const dependentRequired: Rule = {
  check(wanted, value, schema, run) {
    if (!isObject(value)) return true;
    const others = wanted as Readonly<Record<string, readonly string[]>>;
    return run.all(run.namesOf(others), (name) => {
      run.budget.spend(2);
      if (!Object.hasOwn(value, name)) return true;
      const names = others[name] ?? [];
      run.budget.spend(names.length);
      const missing = names.find((other) => !Object.hasOwn(value, other));
      if (missing === undefined) return true;
      const message = `must have property ${missing} when property ${name} is present`;
      return run.report({ keyword: 'dependentRequired', message, schema, data: value });
    });
  },
};

const dependentSchemas: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    if (!isObject(value)) return true;
    const schemas = wanted as JsonObject;
    return run.all(run.namesOf(schemas), (name) => {
      run.budget.spend(2);
      return !Object.hasOwn(value, name) || run.check(schemas[name], value, evaluated);
    });
  },
};

const properties: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    if (!isObject(value)) return true;
    const schemas = wanted as JsonObject;
    return run.all(run.namesOf(schemas), (name) => {
      run.budget.spend(1);
      if (!Object.hasOwn(value, name)) return true;
      evaluated?.addName(name);
      return run.checkChild(name, schemas[name], value[name]);
    });
  },
};

const patternProperties: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    if (!isObject(value)) return true;
    const schemas = wanted as JsonObject;
    return run.all(run.namesOf(value), (name) =>
      run.all(run.namesOf(schemas), (pattern) => {
        if (!matchesPattern(name, pattern, run.budget)) return true;
        evaluated?.addName(name);
        return run.checkChild(name, schemas[pattern], value[name]);
      }),
    );
  },
};

const additionalProperties: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!isObject(value)) return true;
    evaluated?.addAllNames();
    if (wanted === true) return true;
    return run.all(run.namesOf(value), (name) => {
      run.budget.spend(2);
      if (isCovered(name, schema, run)) return true;
      if (wanted !== false) return run.checkChild(name, wanted, value[name]);
      const message = 'must NOT have additional properties';
      const params = { additionalProperty: name };
      return run.report({ keyword: 'additionalProperties', message, schema, data: value, params });
    });
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
    return run.all(run.namesOf(value), (name) => {
      run.budget.spend(1);
      if (run.check(wanted, name, undefined)) return true;
      const message = 'property name must be valid';
      return run.report({ keyword: 'propertyNames', message, schema, data: value });
    });
  },
};

export const unevaluatedProperties: Rule = {
  check(wanted, value, schema, run, evaluated) {
    if (!isObject(value) || evaluated === undefined) return true;
    const isValid = run.all(run.namesOf(value), (name) => {
      run.budget.spend(1);
      if (evaluated.hasName(name)) return true;
      if (wanted !== false) return run.checkChild(name, wanted, value[name]);
      const message = 'must NOT have unevaluated properties';
      return run.report({ keyword: 'unevaluatedProperties', message, schema, data: value });
    });
    if (isValid || run.isCollecting) evaluated.addAllNames();
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
