/** Figures on pages: where they are from, how old they are, and whether what they measure still exists. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allSources } from '../../lab/fuzz/run-fuzz.js';
import { attacks } from '../../lab/hostile/attacks/all-attacks.js';

const maxDays = 60;
const dayMs = 24 * 60 * 60 * 1000;

/** Sections that are derived from the sources, which other tests compare: no figures. */
const derived = ['settings', 'cases', 'bugs', 'lab clients'];

const origin =
  /^`(?:npm run|node) [^`]+` at (?:[0-9a-f]{8}(?: with changes)?|an unknown commit) on (\d{4}-\d\d-\d\d)\./;

interface Section {
  readonly page: string;
  readonly name: string;
  readonly text: string;
}

const sections: readonly Section[] = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .flatMap((page) => {
    const whole = readFileSync(`docs/${page}`, 'utf8');
    const found = whole.matchAll(/<!-- ([a-z][\w -]*) -->\n([\s\S]*?)<!-- end of \1 -->/g);
    return [...found].map(([, name = '', text = '']) => ({ page, name, text }));
  })
  .filter(({ name }) => !derived.includes(name));

/** Returns what is wrong with where figures are from. */
function originFault(text: string, now: number): string | undefined {
  const [, date] = origin.exec(text) ?? [];
  if (date === undefined) return 'no command, commit and date';
  const days = (now - Date.parse(date)) / dayMs;
  if (days > maxDays) return `${Math.floor(days)} days old`;
  return days < -1 ? 'from the future' : undefined;
}

/** The first cell of each row. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.*?) \|/gm)].slice(2).map(([, cell = '']) => cell);

/** Rows of a section that are names of something; the others are totals. */
const known: Readonly<Record<string, (row: string) => boolean>> = {
  mutants: (row) => row === 'all' || existsSync(`src/${row}`),
  hostile: (row) => attacks.some(({ name }) => name === row),
};
const totals = [
  ...[
    'requests',
    'minutes',
    'requests a second',
    'memory at most (RSS)',
    'still counted 10 s after',
  ],
  'wrong responses',
];
const sources = allSources().map(([{ name }]) => name);

test('there are sections with figures', () => {
  expect(sections.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fuzz', 'soak', 'hostile', 'mutants', 'bench methods']),
  );
});

describe.each(sections)('$page, $name', ({ name, text }) => {
  test(`names the command, the commit and the date, not ${maxDays} days ago`, () => {
    expect(originFault(text, Date.now())).toBeUndefined();
  });

  test('measures what exists', () => {
    const isKnown = known[name] ?? (() => true);
    expect(rowsOf(text).filter((row) => !isKnown(row))).toEqual([]);
    if (!name.startsWith('bench ')) return;
    const file = `${name.slice('bench '.length)}.js`;
    const folders = ['lab/bench/suites', 'lab/bench/measurements'];
    expect(folders.filter((folder) => existsSync(`${folder}/${file}`))).toHaveLength(1);
  });
});

test('the figures of the fuzzer have a row for each source, and no other', () => {
  const text = sections.find(({ name }) => name === 'fuzz')?.text ?? '';
  expect(rowsOf(text).sort()).toEqual([...sources, ...totals].sort());
});

test.each([
  ['no origin', '| a | b |', 'no command, commit and date'],
  ['old figures', '`npm run soak` at 0123abcd on 2026-01-01. Node.', '61 days old'],
  ['figures of the last day', '`npm run soak` at 0123abcd on 2026-01-02. Node.', undefined],
  ['a date to come', '`npm run soak` at 0123abcd on 2026-05-01. Node.', 'from the future'],
])('finds %s', (_what, text, fault) => {
  expect(originFault(text, Date.parse('2026-03-03T00:00:00Z'))).toBe(fault);
});
