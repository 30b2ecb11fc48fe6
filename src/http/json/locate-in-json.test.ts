import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonLocator, membersOf } from './locate-in-json.js';

test.each<[string, (string | number)[], string]>([
  ['{"a":[{"id":1}]}', ['a', 0, 'id'], '1:13'],
  ['{\n "a" : [ 1 ,\n  2 ]\n}', ['a', 1], '3:3'],
  ['{"a":"\\"}]","b":\n3}', ['b'], '2:1'],
  ['{"a":{"b":1}}', ['a', 'c'], '1:6'],
  ['{"\\u0061":1}', ['a'], '1:11'],
  ['[]', [3], '1:1'],
])('in %s the position of %j is %s', (text, path, place) => {
  const { line, column } = new JsonLocator(text).place(path);
  expect(`${line}:${column}`).toBe(place);
});

test('members are found whatever they contain, also if a name is repeated', () => {
  const text = '{"a":[1,{"b":"}"}], "c\\"d":null,"a":2}';
  expect([...membersOf(text)].map(({ name }) => name)).toEqual(['a', 'c"d', 'a']);
});

test('any member of any object is found', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (value) => {
      const text = JSON.stringify(value, null, 1);
      const lines = text.split('\n');
      const locator = new JsonLocator(text);
      for (const [name, each] of Object.entries(value)) {
        const { line, column } = locator.place([name]);
        const rest = [lines[line - 1]?.slice(column - 1), ...lines.slice(line)].join('\n');
        expect(rest.startsWith(JSON.stringify(each)?.[0] ?? '')).toBe(true);
      }
      expect([...membersOf(text)].map(({ name }) => name)).toEqual(Object.keys(value));
    }),
  );
});
