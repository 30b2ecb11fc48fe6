import { describe, expect, test } from 'vitest';
import { describeRequest } from './describe-request.js';

const nowMs = Date.UTC(2030, 0, 2, 3, 4, 5, 6);

function describeBody(bytes: Buffer, size = bytes.length) {
  const body = { bytes, size, isTruncated: size > bytes.length };
  const facts = { method: 'PUT', url: '/x?a=1', query: { a: '1' }, contentType: undefined, body };
  return describeRequest(facts, nowMs);
}

test('a request without a body has nine fields in its description', () => {
  expect(describeBody(Buffer.alloc(0))).toEqual({
    method: 'PUT',
    message: 'PUT request received',
    path: '/x',
    query: { a: '1' },
    contentType: null,
    bodyLength: 0,
    bodyTruncated: false,
    body: null,
    timestamp: '2030-01-02T03:04:05.006Z',
  });
});

describe('a body', () => {
  test.each([
    ['ASCII', Buffer.from('abc'), 'abc'],
    ['UTF-8', Buffer.from('žluťoučký 🐎'), 'žluťoučký 🐎'],
    ['a byte-order mark', Buffer.from('\ufeffx'), '\ufeffx'],
    ['null bytes', Buffer.from('a\0b'), 'a\0b'],
    ['line ends of every kind', Buffer.from('a\r\nb\rc\n'), 'a\r\nb\rc\n'],
  ])('of %s is shown exactly', (_name, bytes, text) => {
    const record = describeBody(bytes);
    expect(record).toMatchObject({ body: text, bodyLength: bytes.length });
    expect(record).not.toHaveProperty('bodyEncoding');
  });

  test('that is not UTF-8 is shown as base64', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x80]);
    expect(describeBody(bytes)).toMatchObject({
      body: '/wCA',
      bodyEncoding: 'base64',
      bodyLength: 3,
    });
  });

  test.each([
    ['between characters', 'abcž'.length + 1, 'abcž'],
    ['after the first of two bytes', 4, 'abc'],
    ['after the third of four bytes', 5 + 3, 'abcž'],
  ])('truncated %s is shown up to its last complete character', (_name, keptBytes, text) => {
    const whole = Buffer.from('abcž🐎');
    expect(describeBody(whole.subarray(0, keptBytes), whole.length)).toMatchObject({
      body: text,
      bodyLength: whole.length,
      bodyTruncated: true,
    });
  });

  test('truncated binary data is base64 of all stored bytes', () => {
    const kept = Buffer.from([0xff, 0xfe, 0xe2, 0x82]);
    expect(describeBody(kept, 100)).toMatchObject({
      body: kept.toString('base64'),
      bodyEncoding: 'base64',
      bodyTruncated: true,
    });
  });
});
