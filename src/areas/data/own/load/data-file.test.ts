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

test('the same text has the same version, with or without a byte-order mark', () => {
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
  ['a missing file', () => join(folder, 'none.json'), 'the file does not exist'],
  ['a directory', () => folder, 'it is a directory'],
  ['a file below a file', () => join(file('f', ''), 'x'), 'a part of its path is not a directory'],
  [
    'bytes that are not UTF-8',
    () => file('d.json', Buffer.from([0x7b, 0xff])),
    'it is not UTF-8 text',
  ],
  [
    'more than 5 MiB',
    () => file('e.json', Buffer.alloc(5_242_881, 32)),
    'it has 5242881 bytes; the limit is 5242880 (5 MiB)',
  ],
  [
    'a schema with too many parts',
    () => file('s.json', JSON.stringify({ $schemas: { a: { enum: many } }, a: [] })),
    '$schemas have more than 2000 parts; each keyword, list item and name is one, a pattern more, at line 1, column 13',
  ],
  [
    'a schema with a malformed reference',
    () =>
      file('r.json', '{"$schemas":{"a":{"items":\n{"$ref":"#/%/a"},"default":{"%":{}}}},"a":[]}'),
    '$schemas.a.items.$ref has "%/a" at character 3: two hexadecimal digits must follow %, as in %25 for %, at line 2, column 9',
  ],
  [
    'an incomplete file',
    () => file('g.json', '{"a":[{"id":1}'),
    'the data is invalid JSON at line 1, column 15: ',
  ],
])('the error for %s is one line', (_name, path, line) => {
  expect(() => readDataFile(path())).toThrow(line);
});

test('an object is loaded like its JSON, but errors have no line and column', () => {
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
