import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { measureDocument } from '../documents/measure-document.js';
import { weighPlans } from './plan-query.js';

function weigh(text: string): number {
  const document = parse(text);
  return weighPlans({ document, size: measureDocument(document), introspectionValues: 0 });
}

const weightOfTwoFields = weigh('{ users { id } }');

test.each([
  ['once without a switch', '{ users { id } }', 1],
  ['once where a constant decides', '{ users { id @skip(if: true) } }', 1],
  ['for both sides of a switch', 'query ($a: Boolean!) { users { id @skip(if: $a) } }', 2],
  [
    'once for a switch used twice',
    'query ($a: Boolean!) { users @skip(if: $a) { id @include(if: $a) } }',
    2,
  ],
  [
    'for each setting of two switches',
    'query ($a: Boolean!, $b: Boolean!) { users @skip(if: $a) { id @skip(if: $b) } }',
    4,
  ],
  [
    'no more often than there may be plans',
    'query ($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) { users @skip(if: $a) @include(if: $b) { id @skip(if: $c) @include(if: $d) } }',
    8,
  ],
  [
    'with its fragments spread',
    '{ a: users { ...F } b: users { ...F } } fragment F on User { id }',
    2,
  ],
])('the weight of a document includes all its possible plans: %s', (_case, text, factor) => {
  expect(weightOfTwoFields).toBeGreaterThan(0);
  expect(weigh(text)).toBe(factor * weightOfTwoFields);
});
