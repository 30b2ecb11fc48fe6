import { expect, test } from 'vitest';
import { OwnDataError } from './own-data-error.js';
import { loadOwnData } from './own-model.js';
import { maxDataValues, maxRecords } from './read-own-data.js';

function faultsOf(text: string): string[] {
  try {
    loadOwnData(text);
  } catch (error) {
    if (!(error instanceof OwnDataError)) throw error;
    return error.faults.map(({ field, what, place }) => {
      const where = place === undefined ? '' : ` ${place.line}:${place.column}`;
      return `${field || '(whole)'} ${what}${where}`;
    });
  }
  return [];
}

test('arrays are collections, objects are single resources, and ids do not change', () => {
  const text =
    '{"$schema":"./x.json","posts":[{"id":1},{"id":"a"},{"title":"none"}],"profile":{"name":"n"},"empty":[]}';
  expect([...loadOwnData(text).data.members]).toEqual([
    ['posts', { isSingle: false, records: [{ id: 1 }, { id: 'a' }, { id: 2, title: 'none' }] }],
    ['profile', { isSingle: true, records: [{ name: 'n' }] }],
    ['empty', { isSingle: false, records: [] }],
  ]);
});

test.each([
  ['numbers', [{ id: 7 }, {}, {}], [7, 8, 9]],
  ['texts', [{ id: '7' }, { id: 'x' }, {}], ['7', 'x', '8']],
  ['none', [{}, {}], [1, 2]],
  ['both', [{ id: 7 }, { id: 'x' }, {}], [7, 'x', 8]],
])('records without an id get one beside %s', (_name, posts, ids) => {
  const { members } = loadOwnData(JSON.stringify({ posts })).data;
  expect(members.get('posts')?.records.map(({ id }) => id)).toEqual(ids);
});

test.each([
  ['nothing', '', '(whole) is invalid JSON at line 1, column 1: a value is expected'],
  [
    'a trailing comma',
    '{"a":[\n1,]}',
    '(whole) is invalid JSON at line 2, column 3: no comma may precede ]',
  ],
  [
    'an array',
    ' []',
    '(whole) must be an object of collections (arrays) and single resources (objects); got an array 1:2',
  ],
  [
    'a number instead of a collection',
    '{"a":[],\n "version": 3}',
    'version must be an array of records or an object; got a number 2:13',
  ],
  [
    'texts instead of records',
    '{"tags":["a",{"id":1}]}',
    'tags.0 must be an object; got a string 1:10',
  ],
  ['an invalid id', '{"a":[{"id":{}}]}', 'a.0.id must be a number or a string 1:13'],
  ['null as an id', '{"a":[{"id":null}]}', 'a.0.id must be a number or a string 1:13'],
  ['one collection twice', '{"a":[],\n"a":[{"id":1}]}', 'a must not be repeated 2:1'],
  [
    'a number that no double represents',
    '{"a":[{"id":1,\n"n": 12345678901234567890}]}',
    '(whole) has the number 12345678901234567890, which programs change to 12345678901234567000; write it as text 2:6',
  ],
  [
    'a number beyond all doubles',
    '{"a":[{"n":1e400}]}',
    '(whole) has the number 1e400, which programs change to Infinity; write it as text 1:12',
  ],
  [
    'a slash in a name',
    '{"a/b":[]}',
    'a/b has a name that no URL can have; use 1 to 100 characters, without a slash 1:8',
  ],
  ['a reserved name', '{"openapi.json":[]}', 'openapi.json has a reserved name 1:17'],
  ['a collection called __proto__', '{"__proto__":[]}', '__proto__ has a reserved name 1:14'],
  [
    'a member called __proto__',
    '{"a":[{"x":{"__proto__":{"isAdmin":true}}}]}',
    'a.0 has a member called __proto__, which has a special meaning in many programs 1:7',
  ],
  [
    'schemas that are not schemas',
    '{"$schemas":[]}',
    '$schemas must be an object of JSON Schemas; got an array 1:13',
  ],
  [
    'a schema for an unknown member',
    '{"$schemas":{"b":true},"a":[]}',
    '$schemas.b names neither a collection nor a single resource of the data 1:18',
  ],
  [
    'a record that breaks its schema',
    '{"$schemas":{"a":{"properties":{"n":{"type":"integer"}}}},"a":[{"id":1},\n{"n":"x"}]}',
    'a.1.n breaks its schema: n must be an integer; got "x" 2:6',
  ],
])('%s is rejected with its place', (_name, text, fault) => {
  expect(faultsOf(text)).toEqual([fault]);
});

test.each([
  [
    'too many collections',
    JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`c${n}`, []]))),
    'at most 50 collections and single resources; got 51',
  ],
  [
    'too many records',
    JSON.stringify({ a: Array(maxRecords + 1).fill({}) }),
    'at most 10000 records; got 10001',
  ],
  ['arrays in arrays', `${'['.repeat(5 * 1024 * 1024)}`, 'is nested deeper than 20 levels 1:21'],
  [
    'a deep record',
    `{"a":[{"x":${'['.repeat(18)}${']'.repeat(18)}}]}`,
    'is nested deeper than 20 levels',
  ],
  [
    'a million empty objects',
    `{"a":[{"x":[${Array(maxDataValues).fill('{}').join()}]}]}`,
    'has more than 500000 values',
  ],
  [
    'a different name for each value',
    `{"a":[{${Array.from({ length: 30_000 }, (_, n) => `"k${n}":1`).join()}}]}`,
    'different names of members',
  ],
  ['more than 5 MiB', `{"a":[{"x":"${'é'.repeat(2_700_000)}"}]}`, 'is larger than 5 MiB'],
])('%s is cheap to reject', (_name, text, fault) => {
  expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
});

test('data at the limits is accepted', () => {
  const a = Array.from({ length: maxRecords }, (_, n) => ({ id: n }));
  const deep = `{"a":${JSON.stringify(a).slice(0, -1)}],"b":[{"x":${'['.repeat(17)}${']'.repeat(17)}}]}`;
  expect(faultsOf(deep.replace('{"id":9999}', '{"id":"last"}').replace('{"id":0},', ''))).toEqual(
    [],
  );
});

test.each([
  [
    'one id twice',
    '{"a":[{"id":1},\n{"id":1}]}',
    'a.1.id is 1, which is also the id of a.0, the record with this URL 2:7',
  ],
  [
    'one id as a number and as text',
    '{"a":[{"id":1},{"id":"1"}]}',
    'a.1.id is "1", which is also the id of a.0, the record with this URL 1:22',
  ],
  [
    'a list of texts',
    '{"tags":["a","b"]}',
    'tags is a list without objects, so it is a single resource at tags 1:9',
  ],
])('%s is a warning', (_name, text, warning) => {
  const { warnings } = loadOwnData(text).data;
  const lines = warnings.map(({ field, what, place }) => {
    return `${field} ${what} ${place?.line}:${place?.column}`;
  });
  expect(lines).toEqual([warning]);
});

test('at most twenty errors are reported, and the message has the first', () => {
  const text = JSON.stringify({ a: [...Array(100).fill(7), {}] });
  expect(faultsOf(text)).toHaveLength(20);
  expect(() => loadOwnData(text)).toThrow(
    'a.0 must be an object; got a number, at line 1, column 7 (and 19 more faults)',
  );
});

test('parsed data is deeply frozen', () => {
  const { members } = loadOwnData('{"a":[{"x":{"y":[{}]}}],"b":{"c":{}}}').data;
  const { records = [] } = members.get('a') ?? {};
  const [record] = records;
  const inner = (record as unknown as { x: { y: object[] } }).x.y;
  expect(
    [records, record, inner, inner[0], members.get('b')?.records[0]?.c].every(Object.isFrozen),
  ).toBe(true);
});
