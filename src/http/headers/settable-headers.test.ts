import { describe, expect, test } from 'vitest';
import {
  checkSettableHeaders,
  type GivenHeaders,
  headersByName,
  maxSettableHeaders,
} from './settable-headers.js';

const faultsOf = (headers: GivenHeaders) => checkSettableHeaders(headers, 'headers');
const fieldsOf = (headers: GivenHeaders) => faultsOf(headers).map(({ field }) => field);

describe('accepts', () => {
  test.each([
    [{ 'Content-Type': 'text/html; charset=utf-8' }],
    [{ 'content-type': 'application/json' }],
    [{ 'Content-Language': 'cs', 'Content-Disposition': 'attachment', 'Content-Digest': 'x' }],
    [{ 'CONTENT-ENCODING': ' Identity ' }],
    [{ 'Content-Encoding': 'gzip' }],
    [{ 'Content-Encoding': '' }],
    [{ Location: '/elsewhere', 'Retry-After': '3', ETag: '"x"', Age: '1' }],
    [{ 'Last-Modified': 'x', Expires: '0', 'Cache-Control': 'no-cache', Vary: 'Accept' }],
    [{ Link: '<a>; rel="next"', Allow: 'GET', 'Accept-Ranges': 'bytes', 'accept-charset': 'x' }],
    [{ 'WWW-Authenticate': 'Basic', 'Proxy-Authenticate': 'Basic' }],
    [{ 'X-Text': 'é\ttab, "quotes" {}', 'X-Empty': '', 'x-sender': '1', 'X-Forwarder': '1' }],
    [{ [`X-${'a'.repeat(98)}`]: 'x'.repeat(1000) }],
    [[]],
    [
      [
        ['X-A', '1'],
        ['X-A', '2'],
        ['x-a', '2'],
      ],
    ],
    [
      [
        ['WWW-Authenticate', 'Basic'],
        ['WWW-Authenticate', 'Bearer'],
      ],
    ],
    [
      [
        ['Cache-Control', 'private'],
        ['cache-control', 'no-cache'],
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
    ['Connection', 'close'],
    ['Keep-Alive', 'timeout=1'],
    ['Upgrade', 'websocket'],
    ['Trailer', 'X'],
    ['Date', 'now'],
    ['Server', 'x'],
    ['Via', '1.1 x'],
    ['Set-Cookie', 'api_key=x'],
    ['Strict-Transport-Security', 'max-age=1'],
    ['Clear-Site-Data', '"*"'],
    ['Alt-Svc', 'h3=":443"'],
    ['Accept', '*/*'],
    ['Accept-', 'x'],
    ['Accept-CH', 'Sec-CH-UA-Model'],
    ['accept-ch-lifetime', '1'],
    ['Set-Login', 'logged-in'],
    ['Use-As-Dictionary', 'match="/*"'],
    ['Service-Worker-Allowed', '/'],
    ['Refresh', '0; url=/'],
    ['Surrogate-Control', 'max-age=9'],
    ['Edge-Control', 'max-age=9'],
    ['CDN-Cache-Control', 'max-age=9'],
    ['Access-Control-Allow-Origin', 'https://a.example'],
    ['Cross-Origin-Opener-Policy', 'x'],
    ['Content', 'x'],
    ['Content-', 'x'],
    ['Content-Security-Policy', 'default-src *'],
    ['cONTENT-sECURITY-pOLICY-rEPORT-oNLY', 'x'],
    ['X-', 'x'],
    ['X-Content-Type-Options', 'x'],
    ['X-Content-Security-Policy', 'x'],
    ['X-WebKit-CSP-Report-Only', 'x'],
    ['X-Permitted-Cross-Domain-Policies', 'all'],
    ['X-SourceMap', '/x'],
    ['X-Frame-Options', 'DENY'],
    ['X-Request-Id', 'x'],
    ['X-RateLimit-Limit', '5'],
    ['X-Simulated', 'true'],
    ['X-Accel-Redirect', '/internal/x'],
    ['x-aCCEL-buffering', 'no'],
    ['X-Sendfile', '/etc/hosts'],
    ['X-Sendfile2', '/etc/hosts'],
    ['X-LIGHTTPD-send-file', '/etc/hosts'],
    ['X-Reproxy-URL', 'http://internal/'],
    ['X-LiteSpeed-Location', '/internal/x'],
    ['X-Envoy-Immediate-Health-Check-Fail', '1'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['Content-Type', 'text/javascript'],
    ['Content-Type', 'Application/X-JavaScript; charset=utf-8'],
    ['Content-Type', 'text/css'],
    ['Content-Type', 'application/wasm'],
    ['Content-Type', 'multipart/x-mixed-replace; boundary=x'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['toString', 'x'],
    ['', 'x'],
    [' X-A', 'x'],
    ['X Y', 'x'],
    ['X-A:', 'x'],
    ['X_Accel_Redirect', 'x'],
    ['X-\u017d', 'x'],
    ['\u212a-A', 'x'],
    ['X-A\r\nDate', 'x'],
    [`X-${'a'.repeat(99)}`, 'x'],
    ['X-A', 'a\r\nSet-Cookie: b'],
    ['X-A', 'a\nb'],
    ['X-A', '\0'],
    ['X-A', '\x7f'],
    ['X-A', 'ž'],
    ['X-A', '\ud800'],
    ['X-A', 'x'.repeat(1001)],
  ])('%j: %j, by name and as a pair', (name, value) => {
    const headers = Object.defineProperty({}, name, { value, enumerable: true });
    const field = `headers.${name.slice(0, 100)}`;
    expect(fieldsOf(headers as Record<string, string>)).toEqual([field]);
    expect(
      fieldsOf([
        ['X-Fine', '1'],
        [name, value],
      ]),
    ).toEqual(['headers.1']);
  });

  test.each([
    'Age',
    'Content-Type',
    'Content-Range',
    'ETag',
    'Expires',
    'Last-Modified',
    'Location',
    'Retry-After',
  ])('%s twice', (name) => {
    const [fault, ...others] = faultsOf([
      [name, '1'],
      ['X-A', '1'],
      [name.toLowerCase(), '1'],
    ]);
    expect(fault?.field).toBe('headers.2');
    expect(fault?.message).toContain('repeated');
    expect(others).toEqual([]);
  });

  test('a name twice in different letter case, except as pairs', () => {
    const [fault] = faultsOf({ 'X-A': '1', 'x-a': '2' });
    expect(fault).toMatchObject({ field: 'headers.x-a' });
    expect(fault?.message).toContain('[["x-a", "…"], ["x-a", "…"]]');
  });

  test('more than 20', () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, '']));
    expect(fieldsOf(headers(maxSettableHeaders))).toEqual([]);
    expect(fieldsOf(headers(maxSettableHeaders + 1))).toEqual(['headers']);
    expect(fieldsOf(Object.entries(headers(maxSettableHeaders + 1)))).toEqual(['headers']);
  });
});

test.each([
  ['Date', 'Location, Retry-After'],
  ['X-Accel-Redirect', 'proxy'],
  ['X-Request-Id', 'belongs to the service'],
  ['Content-Security-Policy', 'more than this response'],
])('the message for %s names it and has the reason', (name, why) => {
  const [{ message } = { message: '' }] = faultsOf({ [name]: 'x' });
  expect(message).toContain(name);
  expect(message).toContain(why);
});

test('cookies may be set if the caller of the check allows it', () => {
  const headers = [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ] as const;
  expect(checkSettableHeaders(headers, 'headers', { isCookieSettable: true })).toEqual([]);
  expect(checkSettableHeaders(headers, 'headers').map(({ field }) => field)).toEqual([
    'headers.0',
    'headers.1',
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
