/**
 * Measures the cost of patterns of growing size in everything that reads patterns of callers: it
 * grows no faster than n log n. Every pattern is different, since compiled ones are remembered.
 */

import { expect, test } from 'vitest';
import { declaredNames } from '../../src/areas/data/own/query/declared-names.js';
import { admit } from '../../src/areas/llm/anthropic/request/tools.js';
import { generateValue } from '../../src/areas/llm/model/generate-value.js';
import { acceptSchemas } from '../../src/areas/llm/openai/read/schemas.js';
import { runAtOnce } from '../../src/base/run-steps.js';
import { admitSchemas } from '../../src/json-schema/admit-schemas.js';
import { CheckBudget, maxChecks } from '../../src/json-schema/budget.js';
import { findFaults } from '../../src/json-schema/find-faults.js';
import { list0 } from '../../src/kit/json-server/list-0.js';
import { everyThird } from '../support/every-third.js';
import { growthOf, maxExponent } from '../support/growth.js';

const repeat = (text: string) => (size: number) => text.repeat(Math.floor(size / text.length));

/** Patterns by their length, up to what is accepted. */
const shapes: readonly (readonly [name: string, (size: number) => string, largest: number])[] = [
  ['a bracket of Unicode classes', (size) => `[${repeat('\\p{L}')(size)}]`, 900],
  ['a negated bracket', (size) => `[^${repeat('\\p{Lu}\\P{N}')(size)}]`, 900],
  ['Unicode classes in a row', repeat('\\p{L}'), 900],
  ['brackets in a row', repeat('[\\p{L}-]'), 900],
  ['an alternation', (size) => `${repeat('\\p{L}|')(size)}a`, 900],
  ['a repeated class', (size) => `\\p{L}{${size}}`, 400],
  ['a repeated bracket', (size) => `[\\p{L}\\p{M}]{1,${size}}`, 200],
  ['ranges', (size) => `[${repeat('一-龥à-ÿ')(size)}]`, 300],
  ['characters', repeat('aé'), 400],
  ['groups', repeat('(?:ab?)'), 600],
];

let made = 0;
const unique = (pattern: string) => `${pattern}${made++}`;

type Read = (pattern: string) => unknown;

const enough = { maxParts: 1e7 };
const rows = [{ id: 1, a: 'Ädam 1' }];
const url = 'http://localhost/c';
const tool = (pattern: string) => ({
  type: 'object',
  properties: { a: { type: 'string', pattern } },
  required: ['a'],
});
const given = (pattern: string) => [{ path: 'tools', schema: tool(pattern), isStrict: false }];

/** Everything that reads patterns of callers. */
const readers: Readonly<Record<string, Read>> = {
  'pattern of own data': (pattern) => admitSchemas({ c: { pattern } }, enough),
  'patternProperties of own data': (pattern) =>
    admitSchemas({ c: { patternProperties: { [pattern]: true } } }, enough),
  'propertyNames of own data': (pattern) =>
    admitSchemas({ c: { propertyNames: { pattern } } }, enough),
  'a check whose pattern is no longer remembered': (pattern) =>
    findFaults({ pattern }, 'Ädam', new CheckBudget(100 * maxChecks)),
  'a filter of json-server': (pattern) =>
    runAtOnce(list0(rows, new Map([['a_like', [pattern]]]), url)),
  'a tool of OpenAI': (pattern) => acceptSchemas(given(pattern), 'code'),
  'a tool of Anthropic': (pattern) => admit('tools', [['tools', tool(pattern)]]),
  'a text of the language model': (pattern) => generateValue(tool(pattern)),
};

const cases = Object.entries(readers).flatMap(([reader, read]) =>
  shapes.map(([shape, make, largest]) => ({ title: `${reader}: ${shape}`, read, make, largest })),
);

/** A pattern that is rejected costs its length, too. */
function attempt(read: Read, pattern: string): void {
  try {
    read(unique(pattern));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

test.each(everyThird(cases))('$title', async ({ read, make, largest }) => {
  const run = (pattern: string) => attempt(read, pattern);
  expect(await growthOf({ make, run, largest })).toBeLessThan(maxExponent);
});

test.each([
  ['escaped', (size: number) => `#${'/%25'.repeat(size / 4)}`],
  ['malformed at its end', (size: number) => `#${'/%25'.repeat(size / 4)}%zz`],
  ['not UTF-8', (size: number) => `#/${'%41'.repeat(size / 3)}%FF`],
  ['full of tildes', (size: number) => `#${'/~0~1'.repeat(size / 5)}`],
  ['malformed in its last tilde', (size: number) => `#${'/~0'.repeat(size / 3)}~2`],
])('a reference that is %s', async (_name, make) => {
  const run = ($ref: string) => admitSchemas({ c: { $ref } });
  expect(await growthOf({ make, run, largest: 200_000 })).toBeLessThan(maxExponent);
});

test('the names that long references lead to', async () => {
  const make = (size: number) => {
    const name = 'x'.repeat(900);
    const leaf = { properties: { a: true } };
    const items = Array.from({ length: size }, () => ({ $ref: `#/$defs/${name}` }));
    return { allOf: items, $defs: { [name]: leaf } };
  };
  const run = (schema: object) => declaredNames(schema, 'id');
  expect(await growthOf({ make, run, largest: 900 })).toBeLessThan(maxExponent);
});
