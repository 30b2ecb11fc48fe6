/** The Origin header of pages, which servers on this machine have to check. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { request } from './mcp.js';

const service = useService();
const withBaseUrl = useService({ baseUrl: 'https://api.example' });

test('the own origin is allowed, and any with ?origins=any', async () => {
  const origin = service.url.replace('127.0.0.1', 'localhost');
  expect((await request(service, 'tools/list', {}, { headers: { origin } })).status).toBe(200);
  const other = { headers: { origin: 'https://a.example' }, path: '/mcp?origins=any' };
  expect((await request(service, 'tools/list', {}, other)).status).toBe(200);
});

test('with a base URL, only its origin is allowed', async () => {
  const statusOf = async (origin: string) =>
    (await request(withBaseUrl, 'tools/list', {}, { headers: { origin } })).status;
  expect(await statusOf('https://api.example')).toBe(200);
  expect(await statusOf('http://api.example')).toBe(403);
  expect(await statusOf('http://localhost')).toBe(403);
});

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io'])(
  'the Host header allows no origin: %s',
  async (host) => {
    const headers = { host, origin: `http://${host}` };
    expect((await request(service, 'tools/list', {}, { headers })).status).toBe(403);
  },
);
