import { expect, test } from 'vitest';
import type { ChangeKind } from '#state/rows/change-feed.js';
import type { RecordId } from '../source/fields.js';
import { foldChanges, parseToken } from './changes.js';

const kinds: Readonly<Record<string, ChangeKind>> = { c: 'created', u: 'updated', d: 'deleted' };

/** `1c 1u` means that record 1 was created and then updated. */
function changesOf(text: string) {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word, atMs) => {
      const name = word.slice(0, -1);
      const id: RecordId = /^\d+$/.test(name) ? Number(name) : name;
      return { id, kind: kinds[word.slice(-1)] as ChangeKind, atMs };
    });
}

test.each([
  ['nothing', '', ''],
  ['one change each', '1c 2u 3d', '1c@0 2u@1 3d@2'],
  ['the last of several changes', '1u 1u 1u', '1u@2'],
  ['in the order of the last changes', '1u 2u 1u', '2u@1 1u@2'],
  ['created and then changed', '1c 1u 1u', '1c@2'],
  ['created and deleted', '1c 1u 1d', '1d@2'],
  ['deleted and restored', '1d 1c', '1c@1'],
  ['restored and changed', '1d 1c 1u', '1c@2'],
  ['changed and deleted', '1u 1d', '1d@1'],
  ['ids that are texts', 'a1c 1c a1d', '1c@1 a1d@2'],
])('%s', (_name, before, after) => {
  const folded = foldChanges(changesOf(before));
  const words = folded.map(({ change, kind }) => `${change.id}${kind[0]}@${change.atMs}`);
  expect(words.join(' ')).toBe(after);
});

test.each([0, 1, 42, 2 ** 52])('the token c%d is parsed', (sequence) => {
  expect(parseToken(`c${sequence}`)).toBe(sequence);
});

test.each(['', 'c', '1', 'c-1', 'c01', 'c1.5', 'c1e3', 'c99999999999999999', 'C1', 'c1 ', 'c٣'])(
  '%j is not a token',
  (text) => {
    expect(parseToken(text)).toBeUndefined();
  },
);
