/**
 * Compares checks of random values by random schemas with a widely used validator. That validator
 * has faults in `unevaluatedItems` and `unevaluatedProperties` beside `oneOf`, so these have
 * separate tests.
 */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseCount } from '../../test/support/case-count.js';
import { admitSchemas } from './admit-schemas.js';
import { CheckBudget } from './budget.js';
import { findFaults } from './find-faults.js';
import { typeNames } from './keywords.js';

const names = ['a', 'b', 'c', 'é'];
const name = fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 3 });

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 2, 2.5, -1, '', 'a', 'ab', '😀', '2027-03-12'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const { schema } = fc.letrec((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true });
  const keywords: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    type: fc.oneof(
      fc.constantFrom(...typeNames),
      fc.uniqueArray(fc.constantFrom(...typeNames), { minLength: 1, maxLength: 3 }),
    ),
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    const: value,
    minimum: small,
    exclusiveMaximum: small,
    multipleOf: fc.constantFrom(0.5, 1, 2),
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom('^a', 'b$', '^.?$'),
    format: fc.constantFrom('date', 'email', 'uri'),
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    prefixItems: list,
    items: inner,
    contains: inner,
    minContains: small,
    maxContains: small,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    minProperties: small,
    maxProperties: small,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    dependentSchemas: named,
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom('^a', '[bc]'), inner, {
      noNullPrototype: true,
    }),
    additionalProperties: inner,
    propertyNames: inner,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
    $ref: fc.constantFrom('#/$defs/x', '#/$defs/y'),
  };
  // Few keywords at a time, because no value would satisfy all of them.
  const chosen = fc.subarray(Object.keys(keywords), { maxLength: 5 });
  const some = chosen.chain((names) =>
    fc.record(Object.fromEntries(names.map((each) => [each, keywords[each] ?? fc.constant(true)]))),
  );
  return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), some) };
});

const definitions = { x: { properties: { a: { type: 'string' } } }, y: { prefixItems: [true] } };

/** Its generated code throws for some schemas. */
function verdictOf(validate: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

test('a value is valid if and only if the other validator accepts it', () => {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true });
  addFormats.default(ajv);
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 3, maxLength: 6 }), (random, values) => {
      const whole = typeof random === 'object' ? { ...random, $defs: definitions } : random;
      if (admitSchemas({ whole }).length > 0) return;
      const validate = ajv.compile(whole as object);
      for (const each of values) {
        const checked = findFaults(whole, each, new CheckBudget());
        const expected = verdictOf(validate, each);
        if (expected === undefined) continue;
        expect(checked.isValid, JSON.stringify(each)).toBe(expected);
        if (checked.isValid === false) expect(checked.faults.length).toBeGreaterThan(0);
      }
      ajv.removeSchema();
    }),
    { numRuns: caseCount(1000) },
  );
});
