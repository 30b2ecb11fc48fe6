/** Rules of keywords that combine schemas for the same value. */

import type { Rule } from './rule.js';

const allOf: Rule = {
  check: (wanted, value, _schema, run, evaluated) =>
    run.all(wanted as readonly unknown[], (schema) => run.check(schema, value, evaluated)),
};

const anyOf: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    const schemas = wanted as readonly unknown[];
    let isValid = false;
    for (const schema of schemas) {
      if (!run.passes(schema, value, evaluated)) continue;
      isValid = true;
      // Every passing schema has evaluated something.
      if (evaluated === undefined) return true;
    }
    if (isValid) return true;
    if (run.isCollecting) for (const schema of schemas) run.check(schema, value, undefined);
    return false;
  },
  message: () => 'must match a schema in anyOf',
};

const oneOf: Rule = {
  check(wanted, value, _schema, run, evaluated) {
    const schemas = wanted as readonly unknown[];
    let passing = 0;
    for (const schema of schemas) {
      if (run.passes(schema, value, evaluated)) passing++;
      if (passing > 1) return false;
    }
    if (passing === 1) return true;
    if (run.isCollecting) for (const schema of schemas) run.check(schema, value, undefined);
    return false;
  },
  message: () => 'must match exactly one schema in oneOf',
};

const not: Rule = {
  check: (wanted, value, _schema, run) => !run.passes(wanted, value, undefined),
  message: () => 'must NOT be valid',
};

/** `then` and `else` have no effect without it. */
const ifRule: Rule = {
  check(wanted, value, schema, run, evaluated) {
    const branch = run.passes(wanted, value, evaluated) ? 'then' : 'else';
    if (schema[branch] === undefined || run.check(schema[branch], value, evaluated)) return true;
    const message = `must match "${branch}" schema`;
    return run.report({ keyword: 'if', message, schema, data: value });
  },
};

const reference: Rule = {
  check: (_wanted, value, schema, run, evaluated) => run.follow(schema, value, evaluated),
};

export const combiningRules: Readonly<Record<string, Rule>> = {
  allOf,
  anyOf,
  oneOf,
  not,
  if: ifRule,
  $ref: reference,
};
