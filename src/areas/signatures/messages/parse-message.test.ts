import { expect, test } from 'vitest';
import { parseMessage } from './parse-message.js';

const head = 'POST /a HTTP/1.1\r\nHost: x\r\n';
const parse = (text: string) => parseMessage(Buffer.from(text), 'http');
const chunked = (body: string) => parse(`${head}Transfer-Encoding: chunked\r\n\r\n${body}`);

test.each<[string, string, string, string[]]>([
  ['no chunk but the last', '0\r\n\r\n', '', []],
  ['chunks', '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde', []],
  ['a size in hex, with an extension', 'A;b=c\r\n0123456789\r\n0\r\n\r\n', '0123456789', []],
  ['a last chunk that ends the message', '3\r\nabc\r\n0\r\n', 'abc', []],
  ['lines that end with LF', '3\nabc\n0\n\n', 'abc', []],
  ['trailers', '1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n', 'a', ['1']],
])('%s: the body', (_name, body, expected, sums) => {
  const message = chunked(body);
  expect(message.body.toString()).toBe(expected);
  expect(message.trailers.valuesOf('x-sum')).toEqual(sums);
});

test.each([
  ['no chunk', ''],
  ['no last chunk', '3\r\nabc\r\n'],
  ['a chunk that ends the message', '3\r\nabc'],
  ['a chunk one byte short', '3\r\nab'],
  ['a chunk whose line end ends the message', '3\r\nab\n'],
  ['a last chunk without a line end', '3\r\nabc\r\n0'],
  ['a size of nine digits', '000000001\r\na\r\n0\r\n\r\n'],
  ['a size that is no number', 'g\r\n\r\n0\r\n\r\n'],
])('%s: 400', (_name, body) => {
  expect(() => chunked(body)).toThrow('The chunks of the body are incomplete.');
});

test.each<[number, string]>([
  [3, 'abc'],
  [2, 'ab'],
  [0, ''],
])('Content-Length: %i has these bytes of the body', (length, expected) => {
  expect(parse(`${head}Content-Length: ${length}\r\n\r\nabc`).body.toString()).toBe(expected);
});

test('one byte fewer than Content-Length is 400', () => {
  expect(() => parse(`${head}Content-Length: 4\r\n\r\nabc`)).toThrow(
    'The body has 3 bytes, fewer than Content-Length.',
  );
});

test('200 headers are accepted, and 201 are 400', () => {
  const withHeaders = (count: number) =>
    parse(`GET /a HTTP/1.1\r\nHost: x\r\n${'A: 1\r\n'.repeat(count - 1)}\r\n`);
  expect(withHeaders(200).fields.valuesOf('a')).toHaveLength(199);
  expect(() => withHeaders(201)).toThrow('The message has more than 200 headers.');
});
