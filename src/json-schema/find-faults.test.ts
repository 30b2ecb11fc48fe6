import { expect, test } from 'vitest';
import { CheckBudget, maxFaults } from './budget.js';
import { findFaults } from './find-faults.js';

function isValid(schema: unknown, value: unknown): boolean | undefined {
  return findFaults(schema, value, new CheckBudget()).isValid;
}

const branches = { oneOf: [{ properties: { a: true } }, { properties: { b: true }, minimum: 1 }] };

test.each<[string, unknown, unknown, boolean]>([
  ['members that no schema names', { properties: { a: true } }, { a: 1, b: 1 }, false],
  ['members that one in allOf names', { allOf: [{ properties: { a: true } }] }, { a: 1 }, true],
  [
    'members that a failing branch names',
    { anyOf: [true, { required: ['b'], properties: { a: true } }] },
    { a: 1 },
    false,
  ],
  [
    'members of all branches that pass',
    { anyOf: [{ properties: { a: true } }, { properties: { b: true } }] },
    { a: 1, b: 1 },
    true,
  ],
  ['members of if', { if: { properties: { a: { const: 1 } } } }, { a: 1 }, true],
  ['members of not', { not: { not: { properties: { a: true } } } }, { a: 1 }, false],
  [
    'members of dependentSchemas',
    { dependentSchemas: { a: { properties: { a: true } } } },
    { a: 1 },
    true,
  ],
  [
    'members of a reference',
    { $ref: '#/$defs/x', $defs: { x: { patternProperties: { '^a': true } } } },
    { ab: 1 },
    true,
  ],
  ['members by additionalProperties', { allOf: [{ additionalProperties: true }] }, { z: 1 }, true],
])('unevaluatedProperties: %s', (_name, schema, value, expected) => {
  expect(isValid({ ...(schema as object), unevaluatedProperties: false }, value)).toBe(expected);
});

test.each<[string, unknown, unknown, boolean]>([
  ['items behind prefixItems', { prefixItems: [true] }, [1, 2], false],
  ['items of a branch that fails', { oneOf: [true, { items: false }] }, [{}], false],
  ['items that contains finds', { contains: { const: 1 } }, [1, 1], true],
  ['items beside those that contains finds', { contains: { const: 1 } }, [1, 2], false],
  ['items of allOf', { allOf: [{ items: true }] }, [1, 2], true],
])('unevaluatedItems: %s', (_name, schema, value, expected) => {
  expect(isValid({ ...(schema as object), unevaluatedItems: false }, value)).toBe(expected);
});

test.each([
  ['-0 and 0', { const: 0 }, -0, true],
  ['names of the prototype', { required: ['toString'] }, {}, false],
  ['characters beyond 16 bits', { maxLength: 2, minLength: 2 }, '😀😀', true],
  [
    'equal objects in another order',
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    false,
  ],
  ['1 and "1"', { uniqueItems: true }, [1, '1'], true],
  ['two branches of oneOf', branches, { a: 1, b: 1 }, false],
])('%s', (_name, schema, value, expected) => {
  expect(isValid(schema, value)).toBe(expected);
});

test('all values of a request have no more faults than a response lists', () => {
  const budget = new CheckBudget();
  const schema = { items: { type: 'string' } };
  const faultsOf = (value: unknown) => {
    const checked = findFaults(schema, value, budget);
    return checked.isValid === false ? checked.faults.length : checked.isValid;
  };
  expect(faultsOf(Array(maxFaults - 1).fill(1))).toBe(maxFaults - 1);
  expect(faultsOf(Array(1000).fill(1))).toBe(1);
  expect(faultsOf([1, 1])).toBe(0);
  expect(faultsOf(['a'])).toBe(true);
});

test('each value of a request may use as many checks as a single value, up to a total for all', () => {
  const budget = new CheckBudget(10_000_000);
  const schema = { items: { allOf: Array(1000).fill({ type: 'number' }) } };
  const checked = () => {
    budget.beginValue();
    return findFaults(schema, Array(1000).fill(1), budget).isValid;
  };
  expect([checked(), checked(), checked(), checked(), checked(), checked()]).toEqual([
    true,
    true,
    true,
    true,
    undefined,
    undefined,
  ]);
});
