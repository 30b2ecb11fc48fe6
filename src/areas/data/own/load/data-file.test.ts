import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dataOfObject, readDataFile } from './data-file.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-api-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('the same text has the same version, with a byte-order mark or without', () => {
  const text = '{"posts":[{"id":1}]}';
  const first = readDataFile(file('a.json', text));
  expect(first.model.data.members.get('posts')?.records).toEqual([{ id: 1 }]);
  expect(readDataFile(file('b.json', `\ufeff${text}`)).version).toBe(first.version);
  expect(readDataFile(file('c.json', `${text}\n`)).version).not.toBe(first.version);
});

const many = Array.from({ length: 2001 }, (_, index) => index);

test('the operator may raise the limit of schemas', () => {
  const text = JSON.stringify({ $schemas: { a: { enum: many } }, a: [] });
  expect(
    readDataFile(file('t.json', text), { maxSchemaParts: 3000 }).model.data.members.keys().next()
      .value,
  ).toBe('a');
  expect(() => dataOfObject(JSON.parse(text))).toThrow('more than 2000 parts');
});

test.each([
  ['a file that is not there', () => join(folder, 'none.json'), 'there is no such file'],
  ['a folder', () => folder, 'it is a folder'],
  ['a file in a file', () => join(file('f', ''), 'x'), 'a part of its path is no folder'],
  [
    'other bytes than UTF-8',
    () => file('d.json', Buffer.from([0x7b, 0xff])),
    'it is not UTF-8 text',
  ],
  [
    'more than 5 MiB',
    () => file('e.json', Buffer.alloc(5_242_881, 32)),
    'it has 5242881 bytes; the limit is 5242880 (5 MiB)',
  ],
  [
    'a schema of too many parts',
    () => file('s.json', JSON.stringify({ $schemas: { a: { enum: many } }, a: [] })),
    '$schemas have more than 2000 parts; each keyword, list item and name is one, a pattern more, at line 1, column 13',
  ],
  [
    'half a file',
    () => file('g.json', '{"a":[{"id":1}'),
    'the data is invalid JSON at line 1, column 15: ',
  ],
])('%s is told in one line', (_name, path, line) => {
  expect(() => readDataFile(path())).toThrow(line);
});

test('an object is read as its JSON is, without places', () => {
  const { model, path } = dataOfObject({ posts: [{ id: 1, at: new Date(0), none: undefined }] });
  expect(path).toBeUndefined();
  expect(model.data.members.get('posts')?.records).toEqual([
    { id: 1, at: '1970-01-01T00:00:00.000Z' },
  ]);
  expect(() => dataOfObject({ posts: 3 })).toThrow(
    /^posts must be an array of records or an object; got a number$/,
  );
  const circle: Record<string, unknown> = {};
  circle.posts = [circle];
  expect(() => dataOfObject(circle)).toThrow('it cannot be written as JSON');
});
