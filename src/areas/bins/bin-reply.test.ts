import { describe, expect, test } from 'vitest';
import { checkBinReply, chooseReply, maxReplyBodyBytes, maxReplyHeaders } from './bin-reply.js';

const captured = { binId: 'b', requestId: '1' };
const choose = (...[response, asked]: Parameters<typeof chooseReply>) => {
  const { status, headers, body } = chooseReply(response, asked, captured);
  return { status, headers: Object.fromEntries(headers), body: body && String(body) };
};

describe('the reply to a capture', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const confirmation = '{"received":true,"binId":"b","requestId":"1"}';

  test.each<[string, Parameters<typeof choose>, ReturnType<typeof choose>]>([
    [
      'without wishes',
      [null, undefined, captured],
      { status: 200, headers: json, body: confirmation },
    ],
    [
      'with a status asked for',
      [null, '202', captured],
      { status: 202, headers: json, body: confirmation },
    ],
    ['without content', [null, '204', captured], { status: 204, headers: {}, body: undefined }],
    ['not modified', [null, '304', captured], { status: 304, headers: {}, body: undefined }],
    [
      'of the bin',
      [{ status: 418, headers: { 'X-Tea': 'pot' }, body: 'ž' }, undefined, captured],
      {
        status: 418,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'X-Tea': 'pot' },
        body: 'ž',
      },
    ],
    [
      'of the bin with its own type and another status',
      [{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>' }, '500', captured],
      { status: 500, headers: { 'Content-Type': 'text/html' }, body: '<p>' },
    ],
    [
      'of the bin without content',
      [
        { status: 204, headers: { 'Content-Type': 'a/b', 'X-A': '1' }, body: 'x' },
        undefined,
        captured,
      ],
      { status: 204, headers: { 'X-A': '1' }, body: undefined },
    ],
  ])('%s', (_name, args, expected) => {
    expect(choose(...args)).toEqual(expected);
  });

  test.each(['100', '199', '600', '0200', '20', 'paid', '', ' 200', '2e2', ['200'], undefined, {}])(
    "takes no status from %j, which is the sender's own business",
    (asked) => {
      expect(choose(null, asked, captured).status).toBe(200);
    },
  );

  test('with an error status has the shape of errors', () => {
    const { status, body } = choose(null, '503', captured);
    expect(status).toBe(503);
    expect(JSON.parse(body ?? '')).toEqual({
      status: 503,
      error: 'Service Unavailable',
      message: expect.any(String),
      received: true,
      ...captured,
    });
  });
});

describe('a custom reply', () => {
  const faultsOf = (headers: Record<string, string>, body = '') =>
    checkBinReply({ status: 200, headers, body }).map(({ field }) => field);

  test.each([
    [{ 'Content-Type': 'text/html; charset=utf-8' }],
    [{ 'content-type': 'application/json' }],
    [{ Location: '/elsewhere', 'Retry-After': '3', ETag: '"x"', 'WWW-Authenticate': 'Basic' }],
    [{ 'X-Text': 'é\ttab, "quotes" {}' }],
    [{ constructor: '1', toString: '2' }],
    [{ 'X-Empty': '' }],
  ])('may have %j', (headers) => {
    expect(faultsOf(headers)).toEqual([]);
  });

  test.each([
    ['Content-Length', '3'],
    ['transfer-encoding', 'chunked'],
    ['Connection', 'close'],
    ['Keep-Alive', 'timeout=1'],
    ['Upgrade', 'websocket'],
    ['Trailer', 'X'],
    ['Date', 'now'],
    ['Set-Cookie', 'api_key=x'],
    ['Strict-Transport-Security', 'max-age=1'],
    ['Clear-Site-Data', '"*"'],
    ['Alt-Svc', 'h3=":443"'],
    ['Accept-CH', 'Sec-CH-UA-Model'],
    ['Set-Login', 'logged-in'],
    ['Use-As-Dictionary', 'match="/*"'],
    ['Service-Worker-Allowed', '/'],
    ['Access-Control-Allow-Origin', 'https://a.example'],
    ['Content-Security-Policy', 'default-src *'],
    ['Content-Security-Policy-Report-Only', 'x'],
    ['X-Content-Type-Options', 'x'],
    ['X-RateLimit-Limit', '5'],
    ['Content-Type', 'text/javascript'],
    ['Content-Type', 'Application/X-JavaScript; charset=utf-8'],
    ['Content-Type', 'text/css'],
    ['Content-Type', 'application/wasm'],
    ['Content-Type', 'multipart/x-mixed-replace; boundary=x'],
    ['__proto__', 'x'],
    ['', 'x'],
    ['X Y', 'x'],
    ['X:', 'x'],
    ['X-Ž', 'x'],
    ['1', 'x'],
    ['X-A', 'a\r\nSet-Cookie: b'],
    ['X-A', 'a\nb'],
    ['X-A', '\0'],
    ['X-A', '\x7f'],
    ['X-A', 'ž'],
    ['X-A', 'x'.repeat(1001)],
  ])('may not have %j: %j', (name, value) => {
    const headers = Object.defineProperty({}, name, { value, enumerable: true });
    expect(faultsOf(headers as Record<string, string>)).toEqual([`response.headers.${name}`]);
  });

  test('may not have a header twice in different case', () => {
    expect(faultsOf({ 'X-A': '1', 'x-a': '2' })).toEqual(['response.headers.x-a']);
  });

  test('has a bounded number of headers and bytes', () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, '']));
    expect(faultsOf(headers(maxReplyHeaders))).toEqual([]);
    expect(faultsOf(headers(maxReplyHeaders + 1))).toEqual(['response.headers']);
    expect(faultsOf({}, 'x'.repeat(maxReplyBodyBytes))).toEqual([]);
    expect(faultsOf({}, `${'x'.repeat(maxReplyBodyBytes - 1)}ž`)).toEqual(['response.body']);
  });
});
