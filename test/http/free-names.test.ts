/** Headers of any name, several values, and trailers that differ from what is announced. */

import { describe, expect, test } from 'vitest';
import { isProxied } from '../support/create-service.js';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const respond = async (script: object) => {
  const body = JSON.stringify(script);
  const lines = [
    'POST /api/http/respond HTTP/1.1',
    'Host: x',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return rawExchange(service.url, `${lines.join('\r\n')}\r\n\r\n${body}`);
};

test.each(['foo=bar', 'freeform=1', 'access_token=a', 'X_Foo=1', 'RateLimit=%22a%22%3Br%3D1'])(
  'httpbin sends the header %s',
  async (query) => {
    const { status, headers } = await send(`GET /httpbin/response-headers?${query}`);
    const [[name = '', value] = []] = [...new URLSearchParams(query)];
    expect([status, headers[name.toLowerCase()]]).toEqual([200, value]);
  },
);

describe('a list as a value', () => {
  test.each([
    ['Link', ['</1>; rel="prev"', '</3>; rel="next"']],
    ['Age', ['1', '2']],
    ['Warning', ['110 - "a"']],
  ])('sends %s that often', async (name, values) => {
    const { head } = await respond({ headers: { [name]: values } });
    const written = isProxied ? name.toLowerCase() : name;
    const lines = head.split('\r\n').filter((line) => line.startsWith(`${written}: `));
    expect(lines).toEqual(values.map((value) => `${written}: ${value}`));
  });
});

// HAProxy forwards no trailers.
describe.skipIf(isProxied)('trailers', () => {
  test.each([
    ['announced and sent', {}, /\r\ntrailer: X-A\r\n/i, true],
    ['sent and not announced', { announceTrailers: false }, /^(?!.*\r\ntrailer:)/is, true],
    [
      'announced under another name',
      { headers: { Trailer: 'X-B' } },
      /\r\ntrailer: X-B\r\n/i,
      true,
    ],
    [
      'announced and not sent',
      { headers: { Trailer: 'X-A' }, trailers: {} },
      /\r\ntrailer: X-A\r\n/i,
      false,
    ],
  ])('%s', async (_name, more, announced, isSent) => {
    const { head, body } = await respond({ body: 'a', trailers: { 'X-A': '1' }, ...more });
    expect(`${head}\r\n`).toMatch(announced);
    expect(body.includes('X-A: 1\r\n')).toBe(isSent);
  });
});
