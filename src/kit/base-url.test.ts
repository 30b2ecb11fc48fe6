import { expect, test } from 'vitest';
import type { Request } from '#http/exchange.js';
import { baseUrlReader } from './base-url.js';

/** The base URL for a caller at 203.0.113.9, behind a proxy at 10.0.0.1 and one on this machine, which are trusted. */
const urlOf = (headers: Record<string, string>, ips: readonly string[]) =>
  baseUrlReader({
    ...{ baseUrl: undefined, host: 'localhost', port: 3000 },
    trustProxy: ['127.0.0.1', '10.0.0.0/8'],
  })({
    headers: { host: 'own.example', ...headers },
    ips,
    raw: {},
    socket: { remoteAddress: '127.0.0.1' },
  } as unknown as Request);

const direct = ['127.0.0.1', '203.0.113.9'];
const chained = ['127.0.0.1', '10.0.0.1', '203.0.113.9'];

test.each([
  ['the value of one proxy', 'api.example', direct, 'api.example'],
  ['the value of the nearer proxy, which the caller cannot write', 'evil, api', direct, 'api'],
  ['the value of the proxy of the caller', 'api.example, inner', chained, 'api.example'],
  ['no value that the caller wrote', 'evil.example, api.example, inner', chained, 'api.example'],
  ['the only value of two proxies', 'api.example', chained, 'api.example'],
])('links have %s', (_what, hosts, ips, host) => {
  expect(urlOf({ 'x-forwarded-host': hosts }, ips)).toBe(`http://${host}`);
});

test.each([
  ['https, http', direct, 'http'],
  ['https, http', chained, 'https'],
  ['http, https, http', chained, 'https'],
])('of the schemes %s, each proxy has its own', (schemes, ips, scheme) => {
  expect(urlOf({ 'x-forwarded-proto': schemes }, ips)).toBe(`${scheme}://own.example`);
});
