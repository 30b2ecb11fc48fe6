import { expect, test } from 'vitest';
import { contentDisposition, filenameIn } from './content-disposition.js';

test.each([
  ['a plain name', 'data.bin', 'attachment; filename="data.bin"'],
  ['a space', 'my data.bin', 'attachment; filename="my data.bin"'],
  ['letters beyond ASCII', 'é.txt', `attachment; filename="_.txt"; filename*=UTF-8''%C3%A9.txt`],
  ['a euro sign', '€ rates', `attachment; filename="_ rates"; filename*=UTF-8''%E2%82%AC%20rates`],
  ['quotes', 'a"b\\c', `attachment; filename="a_b_c"; filename*=UTF-8''a%22b%5Cc`],
  ['a percent sign', '50%.txt', `attachment; filename="50_.txt"; filename*=UTF-8''50%25.txt`],
])('%s', (_name, filename, header) => {
  expect(contentDisposition('attachment', filename)).toBe(header);
  // Only the last part of a path is the name.
  expect(filenameIn(header)).toBe(filename.split('\\').at(-1));
});

test.each([
  ['none', undefined, undefined],
  ['no name', 'attachment', undefined],
  ['a bare name', 'attachment; filename=a.txt', 'a.txt'],
  ['escapes', 'attachment; filename="a\\"b"', 'a"b'],
  ['both, of which the extended counts', `form-data; filename="x"; filename*=UTF-8''%C3%A9`, 'é'],
  ['a broken extended one', `attachment; filename="x"; filename*=UTF-8''%C3`, 'x'],
  ['folders', 'attachment; filename="../../etc/passwd"', 'passwd'],
  ['folders of Windows', 'attachment; filename="C:\\\\a\\\\b.txt"', 'b.txt'],
])('the name in a header with %s', (_name, header, filename) => {
  expect(filenameIn(header)).toBe(filename);
});
