/**
 * Measures the cost of each keyword, in admitting schemas and in checking values: it grows
 * linearly.
 */

import { expect, test } from 'vitest';
import { everyThird } from '../../test/support/every-third.js';
import { growthOf, maxExponent } from '../../test/support/growth.js';
import { admitSchemas } from './admit-schemas.js';
import { CheckBudget, maxChecks } from './budget.js';
import { findFaults } from './find-faults.js';
import { formOf } from './keywords.js';

const list = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index));
const object = (size: number, value: (index: number) => unknown = () => 1) =>
  Object.fromEntries(list(size, (index) => [`n${index}`, value(index)]));
const numbers = (size: number) => list(size, (index) => index);
const text = (size: number) => 'a'.repeat(size);

/** Even an eighth of these members makes the engine use a dictionary. */
const manyMembers = 96_000;

interface Sample {
  /** Schemas and values whose size is a parameter. */
  readonly schema: (size: number) => object;
  readonly value: (size: number) => unknown;
  readonly largest: number;
}

const ofItems = (items: unknown): Sample => ({
  schema: () => ({ items }),
  value: numbers,
  largest: 80_000,
});
const ofMembers = (schema: object): Sample => ({
  schema: () => schema,
  value: (size) => object(size),
  largest: manyMembers,
});
const ofText = (schema: object, value = text): Sample => ({
  schema: () => schema,
  value,
  largest: 200_000,
});
/** Makes as many schemas as the limits allow. */
const ofSchemas = (keyword: string): Sample => ({
  schema: (size) => ({ [keyword]: list(size, () => ({ type: ['number', 'array'] })) }),
  value: () => [1],
  largest: 450,
});
const plain: Sample = ofItems(true);

const samples: Readonly<Record<string, Sample>> = {
  not: ofItems({ not: { type: 'string' } }),
  if: ofItems({ if: { type: 'string' } }),
  then: ofItems({ if: true, ...{ then: { type: 'number' } } }),
  else: ofItems({ if: false, else: { type: 'number' } }),
  items: ofItems({ type: 'number' }),
  contains: { ...plain, schema: () => ({ contains: { type: 'string' }, minContains: 0 }) },
  propertyNames: ofMembers({ propertyNames: { minLength: 1 } }),
  additionalProperties: ofMembers({ additionalProperties: { type: 'number' } }),
  unevaluatedProperties: ofMembers({
    properties: { n0: true },
    unevaluatedProperties: { type: 'number' },
  }),
  unevaluatedItems: {
    ...plain,
    schema: () => ({ contains: { const: 1 }, unevaluatedItems: { type: 'number' } }),
  },
  allOf: ofSchemas('allOf'),
  anyOf: ofSchemas('anyOf'),
  oneOf: ofSchemas('oneOf'),
  prefixItems: { ...ofSchemas('prefixItems'), value: (size) => list(size, () => 1) },
  properties: {
    schema: (size) => ({ properties: object(size, () => ({ type: 'number' })) }),
    value: (size) => object(size),
    largest: 12_000,
  },
  patternProperties: ofMembers({ patternProperties: { '^n[0-9]+$': { type: 'number' } } }),
  dependentSchemas: {
    schema: (size) => ({ dependentSchemas: object(size, () => ({ type: 'object' })) }),
    value: (size) => object(size),
    largest: 12_000,
  },
  $defs: {
    schema: (size) => ({ $defs: object(size, () => ({ type: 'object' })), $ref: '#/$defs/n0' }),
    value: () => ({}),
    largest: 12_000,
  },
  $ref: {
    schema: (size) => ({
      allOf: list(size, () => ({ $ref: '#/$defs/x' })),
      $defs: { x: { minimum: 0 } },
    }),
    value: () => 1,
    largest: 900,
  },
  minimum: ofItems({ minimum: 0 }),
  maximum: ofItems({ maximum: 1e9 }),
  exclusiveMinimum: ofItems({ exclusiveMinimum: -1 }),
  exclusiveMaximum: ofItems({ exclusiveMaximum: 1e9 }),
  multipleOf: ofItems({ multipleOf: 0.5 }),
  minLength: { ...ofText({}), schema: (size) => ({ minLength: 0.75 * size }) },
  maxLength: { ...ofText({}), schema: (size) => ({ maxLength: 0.75 * size }) },
  minItems: { ...plain, schema: () => ({ minItems: 1, items: true }) },
  maxItems: { ...plain, schema: () => ({ maxItems: 1e6, items: true }) },
  minContains: { ...plain, schema: () => ({ contains: { minimum: 10 }, minContains: 5 }) },
  maxContains: { ...plain, schema: () => ({ contains: { minimum: 10 }, maxContains: 1e6 }) },
  minProperties: ofMembers({ minProperties: 1 }),
  maxProperties: ofMembers({ maxProperties: 1e6 }),
  required: {
    schema: (size) => ({ required: list(size, (n) => `n${n}`) }),
    value: (size) => object(size),
    largest: 12_000,
  },
  dependentRequired: {
    schema: (size) => ({ dependentRequired: { n0: list(size, (n) => `n${n}`) } }),
    value: (size) => object(size),
    largest: 12_000,
  },
  enum: {
    schema: (size) => ({ items: { enum: list(size, (n) => ({ n })) } }),
    value: () => [{ n: -1 }, { n: 1e9 }],
    largest: 900,
  },
  const: { schema: (size) => ({ const: numbers(size) }), value: numbers, largest: 1900 },
  uniqueItems: {
    schema: () => ({ uniqueItems: true }),
    value: (size) => list(size, (n) => ({ n, b: [n] })),
    largest: 40_000,
  },
  type: ofItems({ type: ['string', 'null', 'number'] }),
  pattern: ofText({ pattern: '^(a|aa)+b$' }),
  format: ofText({ format: 'uri' }, (size) => `http://x/${'a/'.repeat(size / 2)} `),
};

/** Annotations, which check nothing. */
const notes = [...formOf.keys()].filter((keyword) => !Object.hasOwn(samples, keyword));

test('every keyword that checks something has a sample', () => {
  expect(notes.sort()).toEqual(
    [
      '$comment',
      '$schema',
      'contentEncoding',
      'contentMediaType',
      'contentSchema',
      'default',
    ].concat(['deprecated', 'description', 'examples', 'readOnly', 'title', 'writeOnly']),
  );
});

test.each(everyThird(Object.entries(samples)))(
  '%s',
  async (_keyword, { schema, value, largest }) => {
    const make = (size: number) => ({ root: schema(size), value: value(size) });
    expect(admitSchemas({ root: make(largest).root }, { maxParts: 1e6 })).toEqual([]);
    const growth = await growthOf({
      make,
      run: (input) => findFaults(input.root, input.value, new CheckBudget(100 * maxChecks)),
      largest,
    });
    expect(growth).toBeLessThan(maxExponent);
  },
);

test.each(everyThird([...formOf.keys()]))('admitting schemas with %s', async (keyword) => {
  const sample = samples[keyword];
  const make = (size: number) => ({
    root: { allOf: list(size, () => sample?.schema(2) ?? { [keyword]: numbers(3) }) },
  });
  const largest = 300;
  const run = (schemas: { readonly root: object }) => admitSchemas(schemas, { maxParts: 1e6 });
  expect(await growthOf({ make, run, largest })).toBeLessThan(maxExponent);
});

test.each([
  ['date-time', (size: number) => `2027-03-12T18:00:00.${'1'.repeat(size)}Z`],
  ['duration', (size: number) => `P${'1'.repeat(size)}`],
  ['email', (size: number) => `${'a.'.repeat(size / 2)}@`],
  ['email', (size: number) => `a@${'a-'.repeat(size / 2)}!`],
  ['hostname', (size: number) => `${'a-'.repeat(size / 2)}_`],
  ['ipv6', (size: number) => '1:'.repeat(size / 2)],
  ['uri', (size: number) => `a:${'%41'.repeat(size / 3)}^`],
  ['uri-reference', (size: number) => `//${'1.'.repeat(size / 2)}^`],
  ['uri-reference', (size: number) => `${'a:'.repeat(size / 2)}@^`],
  ['json-pointer', (size: number) => `${'/~0'.repeat(size / 3)}~`],
])('the format %s', async (format, value) => {
  const run = (input: string) => findFaults({ format }, input, new CheckBudget());
  expect(await growthOf({ make: value, run, largest: 300_000 })).toBeLessThan(maxExponent);
});
