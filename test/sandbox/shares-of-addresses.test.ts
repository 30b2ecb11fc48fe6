/**
 * Callers without accounts: each IP address has its share of the sandboxes, whatever another does.
 */

import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';

const maxSandboxes = 20;
const { send } = useDirectService({ trustProxy: true, maxSandboxes, captureBytes: 1024 * 1024 });

const bins = '/api/webhooks/bins';

/** Sends requests from an IP address, in a sandbox. */
const from = (address: string) => (target: string, sandbox: string, json?: unknown) =>
  send(target, {
    headers: { 'X-Forwarded-For': address, 'X-Sandbox': sandbox },
    ...(json !== undefined && { json }),
  });

async function writeIn(address: string, sandbox: string): Promise<void> {
  const { status } = await from(address)('PATCH /api/Books/1', sandbox, { title: 'Mine' });
  expect(status).toBe(200);
}

const titleIn = async (sandbox: string) =>
  (await send('GET /api/Books/1', { headers: { 'X-Sandbox': sandbox } })).json.title;

test.each([
  ['an IPv4 address', '203.0.113.1', () => '203.0.113.2'],
  ['an IPv6 network', '2001:db8:1::1', (place: number) => `2001:db8:2::${place.toString(16)}`],
])('many sandboxes of %s evict none of another', async (what, own, others) => {
  const mine = Array.from({ length: 5 }, (_, place) => `mine-${place}-${what.length}`);
  for (const each of mine) await writeIn(own, each);
  for (let place = 0; place < 3 * maxSandboxes; place++) {
    await writeIn(others(place), `theirs-${place}-${what.length}`);
  }
  for (const each of mine) expect(await titleIn(each)).toBe('Mine');
  expect(await titleIn(`theirs-0-${what.length}`)).not.toBe('Mine');
  expect(await titleIn(`theirs-${3 * maxSandboxes - 1}-${what.length}`)).toBe('Mine');
});

test('small captures of many sandboxes evict none of another IP address', async () => {
  const capture = async (bin: string, body: string) => {
    expect((await send(`POST /api/webhooks/${bin}`, { body })).status).toBe(200);
  };
  const mine = (await from('198.51.100.1')(`POST ${bins}`, 'captures')).json.id;
  for (let each = 0; each < 4; each++) await capture(mine, 'x'.repeat(50_000));
  for (let place = 0; place < 10; place++) {
    const { id } = (await from('198.51.100.2')(`POST ${bins}`, `flood-${place}`)).json;
    for (let each = 0; each < 5; each++) await capture(id, 'y'.repeat(30_000));
  }
  const kept = await from('198.51.100.1')(`GET ${bins}/${mine}/requests`, 'captures');
  expect(kept.json).toHaveLength(4);
});
