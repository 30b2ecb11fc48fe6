import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { recordFields } from '../built-in/record-fields.js';
import type { Query } from '../source/faults.js';
import { type DataRecord, FieldTable, type RecordId } from '../source/fields.js';
import { readListQuery } from './list-query.js';
import { selectRecords } from './select-records.js';

const resource = {
  fieldNames: ['id', 'title', 'size', 'isOpen', 'tags'],
  findRelation: () => undefined,
  relationNames: () => [],
  idName: 'id',
  fields: new FieldTable(
    recordFields({
      title: Type.String(),
      size: Type.Integer(),
      isOpen: Type.Boolean(),
      tags: Type.Array(Type.String()),
    }),
  ),
};

const records: readonly DataRecord[] = [
  { id: 1, title: 'Beech', size: 30, isOpen: true, tags: ['tree'] },
  { id: 2, title: 'ash', size: 40, isOpen: false, tags: ['tree', 'Old'] },
  { id: 3, title: 'Clover', size: 1, isOpen: true, tags: [] },
  { id: 4, title: 'Ash', size: 30, isOpen: true, tags: ['old'] },
];

async function select(query: Query): Promise<{ ids: RecordId[]; total: number }> {
  const { records: selected, total } = await selectRecords(records, readListQuery(resource, query));
  return { ids: selected.map(({ id }) => id), total };
}

test.each<[Query, number[], number]>([
  [{}, [1, 2, 3, 4], 4],
  [{ title: 'ASH' }, [2, 4], 2],
  [{ title: ['ash', 'clover'] }, [2, 3, 4], 3],
  [{ title_in: 'ash,clover' }, [2, 3, 4], 3],
  [{ title_ne: ['ash', 'clover'] }, [1], 1],
  [{ title_gt: 'ash' }, [1, 3], 2],
  [{ size_gte: '30', size_lt: '40' }, [1, 4], 2],
  [{ isOpen: 'false' }, [2], 1],
  [{ tags: 'OLD' }, [2, 4], 2],
  [{ q: 'ee' }, [1, 2], 2],
  [{ q: ['ee', 'be'] }, [1], 1],
  [{ q: '30' }, [], 0],
  [{ sort: 'title' }, [2, 4, 1, 3], 4],
  [{ sort: '-size,title' }, [2, 4, 1, 3], 4],
  [{ sort: '-size,-title' }, [2, 1, 4, 3], 4],
  [{ sort: 'size,-size,title', order: 'desc' }, [2, 1, 4, 3], 4],
  [{ order: 'desc' }, [4, 3, 2, 1], 4],
  [{ limit: '3' }, [1, 2, 3], 4],
  [{ limit: '3', page: '2' }, [4], 4],
  [{ limit: '3', page: '2', offset: '1' }, [4], 4],
  [{ limit: '2', offset: '1' }, [2, 3], 4],
  [{ offset: '3' }, [4], 4],
  [{ limit: '1', page: '2', title: 'ash', order: 'desc' }, [2], 2],
  [{ delay: '1', error: '500', limit: '1' }, [1], 4],
])('%j selects %j of %i', (query, ids, total) => {
  return expect(select(query)).resolves.toEqual({ ids, total });
});

describe('the window says how the caller counts', () => {
  test.each<[Query, object]>([
    [{}, { offset: 0, limit: undefined, page: undefined }],
    [{ limit: '5' }, { offset: 0, limit: 5, page: 1 }],
    [
      { limit: '5', page: '3' },
      { offset: 10, limit: 5, page: 3 },
    ],
    [
      { limit: '5', offset: '0' },
      { offset: 0, limit: 5, page: undefined },
    ],
  ])('%j', (query, window) => {
    expect(readListQuery(resource, query).window).toEqual(window);
  });
});

test('all errors are reported, and the accepted parameters depend on the path', () => {
  const query = { limit: '0', tags_gt: 'x', from: '1', isOpen: 'maybe' };
  const faultsOf = (taken?: readonly string[]) => {
    try {
      readListQuery(resource, query, taken);
    } catch (error) {
      return (error as { extra: { errors: { field: string }[] } }).extra.errors
        .map(({ field }) => field)
        .sort();
    }
    return [];
  };
  expect(faultsOf()).toEqual(['from', 'isOpen', 'limit', 'tags_gt']);
  expect(faultsOf(['from', 'q'])).toEqual(['isOpen', 'limit', 'tags_gt']);
});

describe('an error says what would be right', () => {
  const positions = 'an integer from';
  test.each<[Query, string]>([
    [{ limit: '0' }, `limit must be ${positions} 1 to 100; got "0".`],
    [{ limit: '101' }, `limit must be ${positions} 1 to 100; got "101".`],
    [{ limit: 'x5' }, `limit must be ${positions} 1 to 100; got "x5".`],
    [{ limit: ['1', '2'] }, 'limit must be given once; got 2 values.'],
    [{ limit: '1', page: '0' }, `page must be ${positions} 1 to 2147483647; got "0".`],
    [{ offset: '2147483648' }, `offset must be ${positions} 0 to 2147483647; got "2147483648".`],
    [{ page: '1' }, 'page needs limit, the size of a page, from 1 to 100.'],
    [{ order: 'up' }, 'order must be asc or desc; got "up".'],
    [
      { sort: 'title,tags' },
      'sort must be fields separated by commas, each with a - before it for descending order: id, title, size, isOpen; got "tags".',
    ],
    [{ size: 'x' }, 'size must be an integer; got "x".'],
    [{ size_in: '1,x' }, 'size_in must be an integer, or several separated by commas; got "x".'],
    [{ isOpen: 'x' }, 'isOpen must be true or false; got "x".'],
    [
      { fields: 'id,name' },
      'fields must be one or more of id, title, size, isOpen, tags, separated by commas; got "name".',
    ],
    [{ embed: 'tags' }, 'embed has no valid names here; got "tags".'],
    [{ q: 'x'.repeat(201) }, `q must be at most 200 characters; got "${'x'.repeat(40)}…".`],
    [
      { x: '1' },
      'Unknown query parameter x. Use limit, page, offset, sort, order, q, fields, embed, a field (id, title, size, isOpen, tags), an ordered field with _gte, _lte, _gt or _lt, or any field with _ne or _in.',
    ],
  ])('%j', (query, message) => {
    expect(() => readListQuery(resource, query)).toThrow(expect.objectContaining({ message }));
  });

  test('several errors are reported one after the other', () => {
    expect(() => readListQuery(resource, { order: 'up', isOpen: 'x' })).toThrow(
      'isOpen must be true or false; got "x". order must be asc or desc; got "up".',
    );
  });
});

test.each<[Query, number[]]>([
  [{ limit: '100' }, [1, 2, 3, 4]],
  [{ offset: '2147483647' }, []],
  [{ q: 'x'.repeat(200) }, []],
  [{ q: '' }, [1, 2, 3, 4]],
  [{ sort: ' -size , title ' }, [2, 4, 1, 3]],
  [{ title: 'ash,clover' }, []],
])('the last accepted value: %j selects %j', (query, ids) => {
  return expect(select(query)).resolves.toMatchObject({ ids });
});
