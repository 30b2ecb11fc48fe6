import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { recordFields } from '../built-in/record-fields.js';
import { type DataRecord, FieldTable } from '../source/fields.js';
import { readListQuery } from './list-query.js';
import { selectRecords } from './select-records.js';

const resource = {
  fieldNames: ['id', 'text', 'group'],
  findRelation: () => undefined,
  relationNames: () => [],
  idName: 'id',
  fields: new FieldTable(recordFields({ text: Type.String(), group: Type.Integer() })),
};
const collator = new Intl.Collator('en', { sensitivity: 'accent' });

/** In a pseudo-random order that is always the same. */
const many: readonly DataRecord[] = Array.from({ length: 4000 }, (_, index) => ({
  id: index + 1,
  text: `${'Ab'.repeat(20)} ${(index * 7919) % 1009}`,
  group: (index * 31) % 7,
}));

describe('a list that takes long to sort is sorted in slices', () => {
  test("like the language's sort, with equal records in their original order", async () => {
    const query = readListQuery(resource, { sort: '-group,text' });
    const { records, total } = await selectRecords(many, query);
    const expected = [...many].sort(
      (a, b) =>
        (b.group as number) - (a.group as number) ||
        collator.compare(String(a.text), String(b.text)),
    );
    expect(records.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(total).toBe(4000);
  });

  test('with a filter', async () => {
    const filters = Array.from({ length: 90 }, (_, index) => `ab ${index % 2}`);
    const query = readListQuery(resource, { q: filters, group_ne: '3' });
    const { records, total } = await selectRecords(many, query);
    const expected = many.filter(
      ({ text, group }) => /ab 0/i.test(String(text)) && /ab 1/i.test(String(text)) && group !== 3,
    );
    expect(records).toEqual(expected);
    expect(total).toBe(expected.length);
  });
});

describe('runs of combining marks', () => {
  const accents = (first: string, second: string) => `a${`${first}${second}`.repeat(50_000)}`;
  // In alphabetical order, and in reverse: a program that inserts them one by one takes minutes.
  const records: readonly DataRecord[] = [
    { id: 1, text: `${accents('\u0301', '\u0316')}z`, group: 1 },
    { id: 2, text: `${accents('\u0316', '\u0301')}y`, group: 1 },
    { id: 3, text: 'e\u0301', group: 1 },
  ];

  test.each([
    [{ q: 'é' }, [3]],
    [{ q: 'z' }, [1]],
    [{ text_gte: 'a', sort: 'group,id' }, [1, 2, 3]],
    [{ sort: '-text', limit: '1' }, [3]],
  ])('are parsed quickly: %j', async (query, ids) => {
    const selected = await selectRecords(records, readListQuery(resource, query));
    expect(selected.records.map(({ id }) => id)).toEqual(ids);
  });
});

describe('a query is limited', () => {
  const rejected = (query: Readonly<Record<string, string | string[]>>) => {
    try {
      readListQuery(resource, query);
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('to 100 filters', () => {
    const texts = (count: number) => Array.from({ length: count }, String);
    expect(rejected({ q: texts(100) })).toBe('accepted');
    expect(rejected({ q: texts(101) })).toBe('A query must have at most 100 filters; got 101.');
  });

  test('to 10 fields to sort by', () => {
    const names = Array.from({ length: 11 }, (_, index) => `n${index}`);
    const fields = recordFields(Object.fromEntries(names.map((name) => [name, Type.Integer()])));
    const wide = {
      fieldNames: names,
      findRelation: () => undefined,
      relationNames: () => [],
      idName: 'id',
      fields: new FieldTable(fields),
    };
    expect(readListQuery(wide, { sort: names.slice(0, 10).join() }).order).toHaveLength(10);
    expect(() => readListQuery(wide, { sort: names.join() })).toThrow(
      'sort must have at most 10 fields.',
    );
  });

  test('and its errors name only the first of many parameters and fields', () => {
    const names = Array.from({ length: 300 }, (_, index) => `${'long'.repeat(100)}${index}`);
    const fields = recordFields(Object.fromEntries(names.map((name) => [name, Type.Integer()])));
    const wide = {
      fieldNames: names,
      findRelation: () => undefined,
      relationNames: () => [],
      idName: 'id',
      fields: new FieldTable(fields),
    };
    const unknown = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`z${index}`, '1']),
    );
    try {
      readListQuery(wide, unknown);
      expect.unreachable();
    } catch (error) {
      const { extra, message } = error as { extra: { errors: unknown[] }; message: string };
      expect(extra.errors).toHaveLength(20);
      expect(message).toContain(' and 201 more)');
      expect(message.length).toBeLessThan(300_000);
    }
  });
});
