import { describe, expect, test } from 'vitest';
import type { GivenHeaders } from '../../http/headers/settable-headers.js';
import { checkBinResponse, chooseResponse, maxResponseBodyBytes } from './bin-response.js';

const captured = { binId: 'b', requestId: '1' };
const choose = (...[response, asked]: Parameters<typeof chooseResponse>) => {
  const { status, headers, body } = chooseResponse(response, asked, captured);
  return { status, headers, body: body && String(body) };
};

describe('the response to a captured request', () => {
  const isolating = {
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  };
  const json = { 'content-type': 'application/json; charset=utf-8', ...isolating };
  const confirmation = '{"received":true,"binId":"b","requestId":"1"}';

  test.each<[string, Parameters<typeof choose>, ReturnType<typeof choose>]>([
    [
      'of a bin without a response',
      [null, undefined, captured],
      { status: 200, headers: json, body: confirmation },
    ],
    [
      'with a status in the query',
      [null, '202', captured],
      { status: 202, headers: json, body: confirmation },
    ],
    [
      'without content',
      [null, '204', captured],
      { status: 204, headers: isolating, body: undefined },
    ],
    ['not modified', [null, '304', captured], { status: 304, headers: isolating, body: undefined }],
    [
      'of the bin',
      [{ status: 418, headers: { 'X-Tea': 'pot' }, body: 'ž' }, undefined, captured],
      {
        status: 418,
        headers: { ...isolating, 'content-type': 'text/plain; charset=utf-8', 'x-tea': 'pot' },
        body: 'ž',
      },
    ],
    [
      'of the bin with its own type and another status',
      [{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>' }, '500', captured],
      { status: 500, headers: { ...isolating, 'content-type': 'text/html' }, body: '<p>' },
    ],
    [
      'of the bin with a repeated header',
      [
        {
          status: 200,
          headers: [
            ['Link', '<a>'],
            ['X-A', '1'],
            ['link', '<b>'],
          ],
          body: '',
        },
        undefined,
        captured,
      ],
      {
        status: 200,
        headers: {
          ...isolating,
          'content-type': 'text/plain; charset=utf-8',
          link: ['<a>', '<b>'],
          'x-a': '1',
        },
        body: '',
      },
    ],
    [
      'of the bin that caches may store',
      [{ status: 200, headers: { 'Cache-Control': 'max-age=60' }, body: '' }, undefined, captured],
      {
        status: 200,
        headers: {
          ...isolating,
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'max-age=60',
        },
        body: '',
      },
    ],
    [
      'of a bin that was created when more was allowed',
      [{ status: 200, headers: { 'Content-Security-Policy': 'x' }, body: '' }, undefined, captured],
      {
        status: 200,
        headers: { ...isolating, 'content-type': 'text/plain; charset=utf-8' },
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
      { status: 204, headers: { ...isolating, 'x-a': '1' }, body: undefined },
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
    checkBinResponse({ status: 200, headers, body }).map(({ field }) => field);

  test('may set some headers, and no others', () => {
    expect(fieldsOf({ 'X-A': '1', Location: '/elsewhere' })).toEqual([]);
    expect(fieldsOf({ 'X-A': '1', Date: 'today' })).toEqual(['response.headers.Date']);
    expect(fieldsOf([['Set-Cookie', 'a=b']])).toEqual(['response.headers.0']);
  });

  test('has a limited number of bytes', () => {
    expect(fieldsOf({}, 'x'.repeat(maxResponseBodyBytes))).toEqual([]);
    expect(fieldsOf({}, `${'x'.repeat(maxResponseBodyBytes - 1)}ž`)).toEqual(['response.body']);
  });
});
