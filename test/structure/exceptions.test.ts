/**
 * Limits and exceptions of the checks, counted: `exceptions.json` has the number of each and why it is not lower. A number
 * that became looser since the base of this run has another reason than there.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readChanges } from '../../scripts/tests/changes.js';
import { filesIn } from '../../scripts/tests/test-files.js';

interface Entry {
  readonly name: string;
  /** Why the number is not lower; or not higher, for `least`. */
  readonly why: string;
  /** A limit is a number in a file, which this pattern captures. */
  readonly number?: string;
  readonly file?: string;
  /** Exceptions are matches of this pattern in a file, or in the list of it that begins with `from`. */
  readonly count?: string;
  readonly from?: string;
  /** Files and folders that are searched. */
  readonly in?: readonly string[];
  readonly most?: number;
  readonly least?: number;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const table = 'test/structure/exceptions.json';
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const entries: readonly Entry[] = JSON.parse(read(table));

/** Returns the part of a text from the beginning of a list to the line that closes it. */
function listIn(text: string, from: string): string {
  const start = text.indexOf(from);
  if (start === -1) throw new Error(`There is no list ${from}.`);
  const [indent = ''] = /^ */.exec(text.slice(text.lastIndexOf('\n', start) + 1)) ?? [];
  const rest = text.slice(start);
  return rest.slice(0, rest.search(new RegExp(`^${indent}[\\]})]`, 'm')));
}

function numberOf({ file = '', number, count = '', from, in: places = [file] }: Entry): number {
  if (number !== undefined) {
    const [, found] = new RegExp(number).exec(read(file)) ?? [];
    return Number(found?.replaceAll('_', ''));
  }
  const files = places
    .flatMap((place) => (statSync(join(root, place)).isFile() ? [place] : filesIn(place)))
    .filter((each) => /\.(?:ts|js|mjs|json)$/.test(each) && !each.startsWith('test/structure/exc'));
  const texts = files.map((each) => (from === undefined ? read(each) : listIn(read(each), from)));
  return texts.reduce((sum, text) => sum + (text.match(new RegExp(count, 'gm')) ?? []).length, 0);
}

test.each(entries)('$name: the table has the number', (entry) => {
  const { most, least, why } = entry;
  expect(why.length).toBeGreaterThan(15);
  // A lower number of exceptions is written down too, so that it cannot rise again.
  expect(numberOf(entry)).toBe(most ?? least);
});

/** Returns the names of entries that became looser, or are new, with the reason from before. */
function loosenedSilently(before: readonly Entry[], now: readonly Entry[]): string[] {
  return now
    .filter(({ name, most = 0, least = 0, why }) => {
      const old = before.find((entry) => entry.name === name);
      if (old === undefined) return false;
      const isLooser = most > (old.most ?? 0) || least < (old.least ?? 0);
      return isLooser && why === old.why;
    })
    .map(({ name }) => name);
}

test('what is looser than at the base of this run has a new reason', () => {
  const { base } = readChanges();
  let before: readonly Entry[] = [];
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const;
    before = JSON.parse(execFileSync('git', ['show', `${base}:${table}`], options));
  } catch {
    // Without a base, or a table in it, there is nothing to compare with.
  }
  expect(loosenedSilently(before, entries)).toEqual([]);
});

test('a raised number or a lowered floor without a new reason is found', () => {
  const before = [
    { name: 'a', most: 3, why: 'old' },
    { name: 'b', least: 95, why: 'old' },
  ];
  const changed = (most: number, least: number, why: string) => [
    { name: 'a', most, why },
    { name: 'b', least, why },
  ];
  expect(loosenedSilently(before, changed(4, 94, 'old'))).toEqual(['a', 'b']);
  expect(loosenedSilently(before, changed(4, 94, 'a new reason'))).toEqual([]);
  expect(loosenedSilently(before, changed(2, 96, 'old'))).toEqual([]);
});

test('every exception of a table with words or rules has its reason beside it', () => {
  const bare = ['src', 'test', 'scripts', 'lab', 'pages'].flatMap(filesIn).filter((file) => {
    if (!/\.(?:ts|js|mjs)$/.test(file) || file.startsWith('test/structure/exc')) return false;
    return /\/\/ biome-ignore [\w/]+:? *$/m.test(read(file));
  });
  expect(bare).toEqual([]);
  const rules = listIn(read('test/docs/word-rules.ts'), 'export const exceptions').split('\n');
  const above = rules.filter((line, at) => /^ {2}\[/.test(line) && !isExplained(rules, at));
  expect(above).toEqual([]);
});

/** Whether a comment is above the line, or above the lines of the same kind before it. */
function isExplained(lines: readonly string[], at: number): boolean {
  const before = lines[at - 1] ?? '';
  if (/^\s*\/\//.test(before)) return true;
  return /^ {2}\[/.test(before) && isExplained(lines, at - 1);
}
