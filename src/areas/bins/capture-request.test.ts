import { describe, expect, test } from 'vitest';
import { type CapturedItem, describeCapture } from './capture-request.js';

const id = 'A'.repeat(22);
const item: CapturedItem = {
  receivedAtMs: Date.UTC(2030, 0, 2, 3, 4, 5, 6),
  method: 'POST',
  url: `/api/webhooks/${id}/a%2Fb/?x=1&x=2&y=%C5%BE`,
  rawHeaders: ['X-A', '1', 'content-type', 'text/plain', 'x-a', '2'],
  ip: '::1',
  bodySize: 3,
};
const describeItem = (more: Partial<CapturedItem>, bytes: Buffer = Buffer.alloc(0)) =>
  describeCapture({ sequence: 7, item: { ...item, bodySize: bytes.length, ...more }, bytes });

test('a captured request is what arrived', () => {
  expect(describeItem({}, Buffer.from('abc'))).toEqual({
    id: '7',
    receivedAt: '2030-01-02T03:04:05.006Z',
    method: 'POST',
    path: `/api/webhooks/${id}/a%2Fb/`,
    subPath: '/a%2Fb/',
    query: Object.assign(Object.create(null), { x: ['1', '2'], y: 'ž' }),
    queryString: 'x=1&x=2&y=%C5%BE',
    headers: [
      { name: 'X-A', value: '1' },
      { name: 'content-type', value: 'text/plain' },
      { name: 'x-a', value: '2' },
    ],
    contentType: 'text/plain',
    bodySize: 3,
    bodyTruncated: false,
    bodyEncoding: 'utf-8',
    body: 'abc',
    ip: '::1',
  });
});

describe('what follows the id', () => {
  test.each([
    [`/api/webhooks/${id}`, ''],
    [`/api/webhooks/${id}/`, '/'],
    [`/API/Webhooks/${id}/B`, '/B'],
    [`/api/webhooks/${id}?a=/x`, ''],
    [`/api/webhooks/${id}//x`, '//x'],
    [`http://host.example/api/webhooks/${id}/x`, '/x'],
  ])('of %s is %j', (url, subPath) => {
    expect(describeItem({ url }).subPath).toBe(subPath);
  });
});

test('a query of odd names pollutes nothing', () => {
  const { query } = describeItem({ url: `/api/webhooks/${id}?__proto__[x]=1&__proto__=2&a=%zz` });
  expect(({} as { x?: unknown }).x).toBeUndefined();
  expect(Object.keys(query)).toEqual(['__proto__[x]', '__proto__', 'a']);
});

test('a malformed query is shown as it came, with where it breaks', () => {
  expect(describeItem({ url: `/api/webhooks/${id}?a=%zz` })).toMatchObject({
    query: { a: '%zz' },
    queryString: 'a=%zz',
    parseError: expect.stringContaining('character 3'),
  });
});

test.each<[string, Buffer, number, object]>([
  ['none', Buffer.alloc(0), 0, { bodyEncoding: 'none', body: null, bodyTruncated: false }],
  ['text', Buffer.from('ž'), 2, { bodyEncoding: 'utf-8', body: 'ž' }],
  ['a byte-order mark', Buffer.from('\ufeffx'), 4, { body: '\ufeffx' }],
  ['bytes', Buffer.from([0xff, 0]), 2, { bodyEncoding: 'base64', body: '/wA=' }],
  ['cut text', Buffer.from('ab'), 9, { body: 'ab', bodySize: 9, bodyTruncated: true }],
  [
    'text cut inside a character',
    Buffer.from('ab🐎').subarray(0, 4),
    6,
    { bodyEncoding: 'utf-8', body: 'ab' },
  ],
])('a body of %s is shown exactly', (_name, bytes, bodySize, expected) => {
  expect(describeItem({ bodySize }, bytes)).toMatchObject(expected);
});
