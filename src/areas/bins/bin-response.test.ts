import { describe, expect, test } from 'vitest';
import { DeniedHeaders } from '#http/denied-headers.js';
import type { GivenHeaders } from '#http/headers/settable-headers.js';
import { checkBinResponse, chooseResponse, maxResponseBodyBytes } from './bin-response.js';

const captured = { binId: 'b', requestId: '1' };
const choose = (...[response, asked]: Parameters<typeof chooseResponse>) => {
  const { status, type, given, body } = chooseResponse(response, asked, captured);
  return { status, type, given, body: body && String(body) };
};

describe('the response to a captured request', () => {
  const json = { type: 'application/json; charset=utf-8', given: [] };
  const plain = 'text/plain; charset=utf-8';
  const confirmation = '{"received":true,"binId":"b","requestId":"1"}';

  test.each<[string, Parameters<typeof choose>, ReturnType<typeof choose>]>([
    [
      'of a bin without a response',
      [null, undefined, captured],
      { status: 200, ...json, body: confirmation },
    ],
    [
      'with a status in the query',
      [null, '202', captured],
      { status: 202, ...json, body: confirmation },
    ],
    [
      'without content',
      [null, '204', captured],
      { status: 204, type: undefined, given: [], body: undefined },
    ],
    [
      'not modified',
      [null, '304', captured],
      { status: 304, type: undefined, given: [], body: undefined },
    ],
    [
      'of the bin',
      [{ status: 418, headers: { 'X-Tea': 'pot' }, body: 'ž' }, undefined, captured],
      { status: 418, type: plain, given: [['X-Tea', 'pot']], body: 'ž' },
    ],
    [
      'of the bin with another status',
      [{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>' }, '500', captured],
      { status: 500, type: plain, given: [['Content-Type', 'text/html']], body: '<p>' },
    ],
    [
      'of the bin with a list of values',
      [{ status: 200, headers: { Link: ['<a>', '<b>'] }, body: '' }, undefined, captured],
      {
        status: 200,
        type: plain,
        given: [
          ['Link', '<a>'],
          ['Link', '<b>'],
        ],
        body: '',
      },
    ],
    [
      'of the bin without content',
      [
        { status: 204, headers: { 'Content-Type': 'a/b', 'X-A': '1' }, body: 'x' },
        undefined,
        captured,
      ],
      { status: 204, type: undefined, given: [['X-A', '1']], body: undefined },
    ],
  ])('%s', (_name, args, expected) => {
    expect(choose(...args)).toEqual(expected);
  });

  test.each(['100', '199', '600', '0200', '20', 'paid', '', ' 200', '2e2', ['200'], undefined, {}])(
    'ignores the status %j, which belongs to the sender',
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

describe('a custom response', () => {
  const fieldsOf = (headers: GivenHeaders, body = '') =>
    checkBinResponse({ status: 200, headers, body }, new DeniedHeaders()).map(({ field }) => field);

  test('may set every header that is not denied, except cookies', () => {
    expect(fieldsOf({ 'X-A': '1', Date: 'today', 'Content-Encoding': 'gzip' })).toEqual([]);
    expect(fieldsOf({ 'X-A': '1', Server: 'x' })).toEqual(['response.headers.Server']);
    expect(fieldsOf([['Set-Cookie', 'a=b']])).toEqual(['response.headers.0']);
  });

  test('has a limited number of bytes', () => {
    expect(fieldsOf({}, 'x'.repeat(maxResponseBodyBytes))).toEqual([]);
    expect(fieldsOf({}, `${'x'.repeat(maxResponseBodyBytes - 1)}ž`)).toEqual(['response.body']);
  });
});
