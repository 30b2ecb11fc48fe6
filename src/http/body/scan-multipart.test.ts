import { expect, test } from 'vitest';
import { scanMultipart } from './scan-multipart.js';

const scan = (body: string, boundary = 'cut') => scanMultipart(Buffer.from(body), boundary);
const part = (head: string) => `--cut\r\n${head}\r\n\r\nx\r\n--cut--\r\n`;
const field = 'Content-Disposition: form-data; name="a"';

test.each([
  [part(field), [undefined]],
  [
    part(`content-disposition:form-data; name=a\r\nContent-Type: application/json`),
    ['application/json'],
  ],
  [`preamble\r\n${part(field)}epilogue`, [undefined]],
  [`--cut \t\r\n${field}\r\n\r\n\r\n--cut--`, [undefined]],
  [part(`${field}; filename="a;name=b"; filename*=utf-8''c`), [undefined]],
])('%j is well-formed', (body, types) => {
  expect(scan(body).map(({ contentType }) => contentType)).toEqual(types);
});

test.each([
  ['an empty boundary', part(field), 'the boundary in its Content-Type is empty', ''],
  [
    'another boundary',
    part(field),
    'its boundary is "--cut", but its Content-Type has "--other"',
    'other',
  ],
  [
    'no hyphens',
    part(field).replace('--cut', 'cut'),
    'its first line is "cut"; the boundary must follow two hyphens',
    'cut',
  ],
  ['LF', part(field).replaceAll('\r\n', '\n'), 'its lines end with LF; they must end with CRLF'],
  ['LF in a head', `--cut\r\n${field}\n\nx\r\n--cut--`, 'its lines end with LF'],
  ['no end', `--cut\r\n${field}\r\n\r\nx\r\n`, 'it must end with "--cut--", which is missing'],
  ['no end after a part', `--cut\r\n${field}\r\n\r\nx\r\n--cut`, 'it must end with "--cut--"'],
  ['no delimiter', 'nothing here', 'it must begin with "--cut"'],
  ['no parts', '--cut--\r\n', 'it has no parts'],
  [
    'an attachment',
    part('Content-Disposition: attachment; name="a"'),
    'is "attachment", not form-data',
  ],
  ['no disposition', part('Content-Type: text/plain'), 'part 1 has no Content-Disposition'],
  [
    'a space before the colon',
    part('Content-Disposition : form-data; name="a"'),
    'part 1 has white space before the colon of Content-Disposition',
  ],
  [
    'a huge head',
    part(`${'a: b\r\n'.repeat(3000)}${field}`),
    'the headers of part 1 have more than 16384 bytes',
  ],
  ['two names', part(`${field}; name="b"`), 'part 1 has more than one name'],
  ['two file names', part(`${field}; filename=a; FileName="b"`), 'more than one filename'],
  [
    'two dispositions',
    part(`${field}\r\n${field}`),
    'part 1 has more than one Content-Disposition',
  ],
  [
    'two types',
    part(`${field}\r\n${'content-type: a/b\r\n'.repeat(2)}X: 1`),
    'more than one Content-Type',
  ],
  ['no empty line', `--cut\r\n${field}\r\n--cut--`, 'part 1 has no empty line after its headers'],
])('%s is reported', (_name, body, message, boundary = 'cut') => {
  expect(() => scan(body, boundary)).toThrow(message);
});
