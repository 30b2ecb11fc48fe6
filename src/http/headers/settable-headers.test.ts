import { describe, expect, test } from 'vitest';
import { DeniedHeaders } from '../denied-headers.js';
import {
  checkSettableHeaders,
  encodeHeaders,
  type GivenHeaders,
  headerPairs,
  headersByName,
  headerValueFault,
  maxSettableHeaders,
  rejectStored,
} from './settable-headers.js';

const denied = new DeniedHeaders();
const inResponse = { denied, isBodyScripted: true };
const faultsOf = (headers: GivenHeaders) => checkSettableHeaders(headers, 'headers', inResponse);
const fieldsOf = (headers: GivenHeaders) => faultsOf(headers).map(({ field }) => field);

/** An object with a property of any name, also of `__proto__`. */
const named = (name: string, value: unknown) =>
  Object.defineProperty({}, name, { value, enumerable: true }) as Record<string, string>;

describe('accepts', () => {
  test.each([
    [{ 'Content-Type': 'text/html; charset=utf-8', 'content-language': 'cs' }],
    [{ 'CONTENT-ENCODING': ' Identity ' }],
    [{ 'Content-Encoding': '' }],
    [{ Date: 'foo', Age: '-1', Expires: '0', Pragma: 'no-cache', 'CDN-Cache-Control': 'x' }],
    [{ RateLimit: '"a";r=1', Deprecation: '@1', Sunset: 'x', 'Cache-Status': 'x; hit' }],
    [{ 'Server-Timing': 'a', Signature: 'a=:x:', Warning: '110', Via: '1.1 x', 'Accept-': 'x' }],
    [{ X_Foo: '1', 'x.foo': '1', "!#$%&'*+-.^_`|~": '1', 1: '1', 'X-': '', Content: 'x' }],
    [{ 'X-RateLimit-Limit': '5', 'WWW-Authenticate': 'Basic', 'Proxy-Authenticate': 'Basic' }],
    [{ 'X-Text': 'é\ttab, "quotes" {}', 'X-Empty': '', 'x-sender': '1', 'X-Forwarder': '1' }],
    [{ [`X-${'a'.repeat(98)}`]: 'x'.repeat(1000) }],
    [named('__proto__', 'x')],
    [{ constructor: 'x', toString: 'x' } as unknown as GivenHeaders],
    [{ Age: ['7200', '0'], Link: ['<a>', '<b>'], ETag: ['"a"'] }],
    [[]],
    [
      [
        ['X-A', '1'],
        ['X-A', '2'],
        ['x-a', '2'],
        ['Content-Type', 'text/plain'],
        ['Content-Type', 'text/html'],
      ],
    ],
  ] as readonly [GivenHeaders][])('%j', (headers) => {
    expect(faultsOf(headers)).toEqual([]);
  });
});

describe('rejects', () => {
  test.each([
    ['Content-Length', '3'],
    ['transfer-encoding', 'chunked'],
    ['X-Accel-Redirect', '/internal/x'],
    ['cONTENT-sECURITY-pOLICY-rEPORT-oNLY', 'x'],
    ['X-Request-Id', 'x'],
    ['Trailer', 'X'],
    ['Set-Cookie', 'api_key=x'],
    ['Content-Type', 'text/javascript'],
    ['Content-Type', 'Application/X-JavaScript; charset=utf-8'],
    ['Content-Type', 'text/css'],
    ['Content-Type', 'application/wasm'],
    ['Content-Type', 'multipart/x-mixed-replace; boundary=x'],
    ['', 'x'],
    [' X-A', 'x'],
    ['X-A ', 'x'],
    ['X-Accel-Redirect ', 'x'],
    ['X Y', 'x'],
    ['X-A:', 'x'],
    [':status', '200'],
    ['X-A\t', 'x'],
    ['X(A)', 'x'],
    ['X-\u017d', 'x'],
    ['\u212a-A', 'x'],
    ['X-A\r\nDate', 'x'],
    [`X-${'a'.repeat(99)}`, 'x'],
    ['X-A', 'a\r\nSet-Cookie: b'],
    ['X-A', 'a\r\n folded'],
    ['X-A', 'a\nb'],
    ['X-A', '\0'],
    ['X-A', '\x7f'],
    ['X-A', 'ž'],
    ['X-A', '\ud800'],
    ['X-A', 'x'.repeat(1001)],
  ])('%j: %j, by name, in a list and as a pair', (name, value) => {
    const field = `headers.${name.slice(0, 100)}`;
    expect(fieldsOf(named(name, value))).toEqual([field]);
    expect(fieldsOf(named(name, [value]))).toEqual([field]);
    expect(
      fieldsOf([
        ['X-Fine', '1'],
        [name, value],
      ]),
    ).toEqual(['headers.1']);
  });

  test('a name in different letter case, except as pairs', () => {
    const [fault] = faultsOf({ 'X-A': '1', 'x-a': '2' });
    expect(fault).toMatchObject({ field: 'headers.x-a' });
    expect(fault?.message).toContain('{"x-a": ["…", "…"]}');
  });

  test('more than 20 lines', () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, '']));
    expect(fieldsOf(headers(maxSettableHeaders))).toEqual([]);
    expect(fieldsOf(headers(maxSettableHeaders + 1))).toEqual(['headers']);
    expect(fieldsOf(Object.entries(headers(maxSettableHeaders + 1)))).toEqual(['headers']);
    expect(fieldsOf({ 'X-A': Array(maxSettableHeaders + 1).fill('') })).toEqual(['headers']);
  });
});

test.each([
  ['Transfer-Encoding', 'frames the message'],
  ['X-Accel-Redirect', 'steers servers and proxies'],
  ['Clear-Site-Data', 'steers browsers at other pages'],
  ['X-Request-Id', 'belongs to the service'],
  ['X Y', 'must be a token'],
])('the message for %s names it and has the reason', (name, why) => {
  const [{ message } = { message: '' }] = faultsOf({ [name]: 'x' });
  expect(message).toContain(name);
  expect(message).toContain(why);
});

describe('headers that depend on the rest of the response', () => {
  const check = (name: string, options: object) =>
    checkSettableHeaders({ [name]: 'a=1' }, 'headers', { denied, ...options });

  test.each([
    ['Content-Encoding', { isBodyScripted: true }, 'the body is not from you'],
    ['Set-Cookie', { isCookieSettable: true }, 'only final scripted responses'],
    ['Trailer', { hasTrailers: true }, 'there are none'],
  ])('%s', (name, options, why) => {
    expect(check(name, options)).toEqual([]);
    const [fault] = check(name, {});
    expect(fault?.message).toContain(`The header ${name} cannot be set here: `);
    expect(fault?.message).toContain(why);
  });

  test('trailers may have all of them, which clients must ignore', () => {
    for (const name of ['Content-Encoding', 'Set-Cookie', 'Trailer', 'Transfer-Encoding']) {
      expect(check(name, { isTrailer: true })).toEqual([]);
    }
    const [fault] = check('X-Accel-Redirect', { isTrailer: true });
    expect(fault?.message).toBe(
      'The trailer X-Accel-Redirect cannot be set: it steers servers and proxies.',
    );
  });
});

test('a value is checked without its name', () => {
  expect(headerValueFault('Retry-After', 'soon')).toBeUndefined();
  expect(headerValueFault('Content-Type', 'text/css')).toContain('must not be a script');
  expect(headerValueFault('X-A', 'a\nb')).toContain('printable');
});

test('what was stored when more was allowed is a conflict, with the reason', () => {
  expect(() => rejectStored([], 'PUT it.')).not.toThrow();
  expect(() => rejectStored(faultsOf({ Server: 'x' }), 'PUT it.')).toThrow(
    expect.objectContaining({
      status: 409,
      message:
        'This stored response is no longer accepted. The header Server cannot be set: it steers servers and proxies. PUT it.',
    }),
  );
});

test('all forms are the same pairs', () => {
  const pairs = [
    ['X-A', '1'],
    ['X-A', '2'],
    ['B', '3'],
  ] as const;
  expect(headerPairs({ 'X-A': ['1', '2'], B: '3' })).toEqual(pairs);
  expect(headerPairs(pairs)).toEqual(pairs);
  expect(encodeHeaders({ 'X-A': ['é', '안'] }, 'utf-8')).toEqual([
    ['X-A', Buffer.from('é').toString('latin1')],
    ['X-A', Buffer.from('안').toString('latin1')],
  ]);
});

test('a repeated name keeps its values in order', () => {
  const given = [
    ['X-B', '1'],
    ['Link', '<a>'],
    ['x-b', '2'],
    ['X-b', '3'],
  ] as const;
  expect([...headersByName(given)]).toEqual([
    ['x-b', ['1', '2', '3']],
    ['link', '<a>'],
  ]);
  expect([...headersByName({ Location: '/x' })]).toEqual([['location', '/x']]);
});
