/**
 * Every limit of the source is in the table of bounds, or in `elsewhere.json` with the file that tests it or the reason why
 * it is no bound of callers.
 */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesIn } from '../../scripts/tests/test-files.js';
import { allBounds } from './all-bounds.js';
import { allRules } from './rules/all-rules.js';

interface Elsewhere {
  /** By test file: limits that it tests exactly at the limit and beyond it. */
  readonly tested: Readonly<Record<string, readonly string[]>>;
  readonly notABound: readonly { readonly why: string; readonly limits: readonly string[] }[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const elsewhere: Elsewhere = JSON.parse(read('test/bounds/elsewhere.json'));

/** Matches constants with one number, neither functions nor schemas. */
const limit = /^(?:export )?const ((?:max|least|min|most)[A-Z]\w*)(?:: [^=]+)? = (?!\(\{|Type\b)/gm;

const limitsIn = (text: string) => [...text.matchAll(limit)].map(([, name]) => name);

const limits = filesIn('src')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => limitsIn(read(file)).map((name) => `${file.slice('src/'.length)}#${name}`));

const inTable = [...Object.values(allBounds), ...Object.values(allRules)].flatMap((bounds) =>
  bounds.map(({ limit: name }) => name),
);
const outside = [
  ...Object.values(elsewhere.tested).flat(),
  ...elsewhere.notABound.flatMap(({ limits: names }) => names),
];

test('every limit is in the table or outside of it, and in one place', () => {
  const unknown = limits.filter((name) => !inTable.includes(name) && !outside.includes(name));
  expect(unknown, 'Add them to the table, or to elsewhere.json.').toEqual([]);
  expect(outside.filter((name) => inTable.includes(name))).toEqual([]);
  expect(outside.filter((name, place) => outside.indexOf(name) !== place)).toEqual([]);
});

test('what is named exists', () => {
  expect(outside.filter((name) => !limits.includes(name))).toEqual([]);
  const named = inTable.filter((name) => {
    const [file, constant] = name.split('#');
    return !new RegExp(`^(?:export )?const ${constant}\\b`, 'm').test(read(`src/${file}`));
  });
  expect(named).toEqual([]);
  expect(Object.keys(elsewhere.tested).filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  for (const { why } of elsewhere.notABound) expect(why.length).toBeGreaterThan(30);
});

test('the search finds constants with a number, and nothing else', () => {
  const text = [
    'const maxItems = 3;',
    'export const minKeyBytes = 2 ** 5;',
    'const maxAge: number = mebibyte;',
    'const maxSchema = Type.Integer({});',
    'const maxTokensOf = ({ model }: Conversation) => 1;',
    'const maximum = 3;',
    '  const maxInner = 3;',
  ];
  expect(limitsIn(text.join('\n'))).toEqual(['maxItems', 'minKeyBytes', 'maxAge']);
});
