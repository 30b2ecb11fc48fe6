import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../test/support/case-count.js';
import { parseBody } from './parse-body.js';

const urlEncoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=cut';

function parse(contentType: string | undefined, body: string) {
  return parseBody(contentType, Buffer.from(body));
}

function parts(...bodies: string[]): string {
  return `${bodies.map((body) => `--cut\r\n${body}\r\n`).join('')}--cut--\r\n`;
}

describe('JSON', () => {
  test.each([
    ['application/json', '{"a":[1,null]}', { a: [1, null] }],
    ['Application/JSON; charset=utf-8', '"x"', 'x'],
    ['application/vnd.api+json', 'null', null],
    ['application/merge-patch+json', '{"b":{}}', { b: {} }],
  ])('%s is parsed', async (contentType, body, json) => {
    expect(await parse(contentType, body)).toEqual({ json });
  });

  test('malformed %s gets an error with the place', async () => {
    expect(await parse('application/json', '{"a":}')).toEqual({
      parseError: 'Invalid JSON at line 1, column 6: a value is expected.',
    });
  });

  test('%s that is not UTF-8 gets an error', async () => {
    expect(await parseBody('application/json', Buffer.from([0x22, 0xff, 0x22]))).toEqual({
      parseError: 'The body is not valid UTF-8.',
    });
  });
});

describe('a form', () => {
  test.each([
    ['a=1&b=two+words&c=%C5%BE', { a: '1', b: 'two words', c: 'ž' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a&b=&=c', { a: '', b: '', '': 'c' }],
    ['a=%zz', { a: '%zz' }],
  ])('%s is parsed', async (body, form) => {
    const parsed = await parse(`${urlEncoded}; charset=UTF-8`, body);
    expect({ ...parsed.form }).toEqual(form);
  });

  test('with too many fields gets an error', async () => {
    const body = Array.from({ length: 1001 }, (_, index) => `f${index}=1`).join('&');
    expect((await parse(urlEncoded, body)).parseError).toMatch(/more than 1000 fields/);
  });

  test('may have field names that every object has', async () => {
    const { form } = await parse(urlEncoded, '__proto__=x&constructor=y');
    expect(JSON.stringify(form)).toBe('{"__proto__":"x","constructor":"y"}');
  });
});

describe('multipart', () => {
  test('has fields, repeated ones as arrays, and files with their sizes', async () => {
    const body = parts(
      'Content-Disposition: form-data; name="a"\r\n\r\none',
      'Content-Disposition: form-data; name="a"\r\n\r\ntwo',
      'Content-Disposition: form-data; name="up"; filename="dir/ž.bin"\r\nContent-Type: image/png\r\n\r\n\x01\x02\x03',
      'Content-Disposition: form-data; name="up"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n',
    );
    const parsed = await parse(multipart, body);
    expect({ ...parsed.form }).toEqual({ a: ['one', 'two'] });
    expect(parsed.files).toEqual([
      { name: 'up', filename: 'dir/ž.bin', contentType: 'image/png', size: 3 },
      { name: 'up', filename: '', contentType: 'application/octet-stream', size: 0 },
    ]);
  });

  test('without a boundary gets an error', async () => {
    expect(await parse('multipart/form-data', parts('x'))).toEqual({
      parseError: expect.stringContaining('has no boundary'),
    });
  });

  test.each([
    [
      'truncated in a part',
      multipart,
      '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nunfinish',
    ],
    [
      'truncated in a file',
      multipart,
      '--cut\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nunfinish',
    ],
    ['without parts', multipart, 'nothing here'],
  ])('%s gets an error that says it is malformed', async (_name, contentType, body) => {
    expect((await parse(contentType, body)).parseError).toEqual(expect.any(String));
  });

  test.each([
    ['field', 'Content-Disposition: form-data\r\n\r\nx'],
    ['file', 'Content-Disposition: form-data; filename="b"\r\n\r\nx'],
  ])('with a %s without a name gets an error, complete or truncated', async (_kind, part) => {
    expect(await parse(multipart, `--cut\r\n${part}`)).toHaveProperty('parseError');
    expect(await parse(multipart, parts(part))).toEqual({
      parseError: 'Malformed multipart body: a part has no name in its Content-Disposition.',
    });
  });

  test('with too many parts gets an error', async () => {
    const part = 'Content-Disposition: form-data; name="a"\r\n\r\n';
    const body = parts(...Array.from({ length: 1001 }, () => part));
    expect((await parse(multipart, body)).parseError).toMatch(/more than 1000 fields/);
  });
});

test.each([undefined, 'text/plain', 'application/xml', ';', 'json'])(
  'a body of type %s is not parsed',
  async (contentType) => {
    expect(await parse(contentType, '{"a":1}')).toEqual({});
  },
);

test('an empty body has no content, whatever its type', async () => {
  expect(await parse('application/json', '')).toEqual({});
});

test('never throws and always ends, for any bytes of any type', async () => {
  const disposition = 'Content-Disposition: form-data;';
  const contentType = fc.constantFrom('application/json', urlEncoded, multipart);
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('--cut', '\r\n', '--', 'a', '"', ';', ':', 'name=') }),
    fc
      .array(fc.constantFrom('--cut\r\n', disposition, ' name=a;', ' filename=b', '\r\n\r\n', 'x'))
      .map((pieces) => `--cut\r\n${disposition}${pieces.join('')}`),
  );
  await fc.assert(
    fc.asyncProperty(contentType, body, async (type, bytes) => {
      expect(await parseBody(type, Buffer.from(bytes))).toEqual(expect.any(Object));
    }),
    { numRuns: caseCount(500) },
  );
});
