/** The page of the server for browsers, at the path of the server. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { openSession, request } from './mcp.js';

const service = useService();
const { send } = service;

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('browsers get the page, which no client of the protocol gets', async () => {
  const { status, headers, text } = await send('GET /mcp', { headers: html });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers.vary).toContain('Accept');
  for (const offered of ['list_records', 'endless-cursor', 'practice://{collection}/{id}']) {
    expect(text).toContain(offered);
  }
  const again = { ...html, 'if-none-match': String(headers.etag) };
  expect((await send('GET /mcp', { headers: again })).status).toBe(304);
  expect((await send('HEAD /mcp', { headers: html })).status).toBe(200);

  for (const accept of ['text/event-stream', 'text/html, text/event-stream', '*/*']) {
    const { status: other } = await send('GET /mcp', { headers: { accept } });
    expect(other, accept).not.toBe(200);
  }
  const foreign = { ...html, origin: 'https://foreign.example' };
  expect((await send('DELETE /mcp', { headers: foreign })).status).toBe(403);
  expect((await send('GET /mcp/protected', { headers: html })).status).not.toBe(200);
});

test('the judge does not see the page', async () => {
  await send('GET /s/page-only/mcp', { headers: html });
  expect((await send('GET /s/page-only/api/sandbox/mcp/messages')).json).toEqual([]);
});

test('sessions are listed with their clients', async () => {
  const path = '/s/listed/mcp';
  const list = async () => (await send('GET /s/listed/api/sandbox/mcp/sessions')).json;
  expect(await list()).toEqual([]);
  await request(service, 'tools/list', {}, { path });
  expect(await list()).toEqual([]);
  const session = await openSession(service, '2025-06-18', { path });
  await session.request('resources/subscribe', { uri: 'practice://books/1' });
  const at = expect.stringMatching(/^\d{4}-/);
  expect(await list()).toEqual([
    { client: 'test 1', revision: '2025-06-18', initialized: true, subscriptions: 1, at },
  ]);
  await session.end();
  expect(await list()).toEqual([]);
  expect((await send('GET /api/sandbox/mcp/sessions')).status).toBe(403);
});
