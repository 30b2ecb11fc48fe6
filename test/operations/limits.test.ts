/** The limits that a host sets are enforced. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const hourMs = 3_600_000;

describe('a host with low limits', () => {
  let nowMs = Date.UTC(2030, 0, 1);
  const service = useService({
    maxSandboxes: 1,
    sandboxIdleSeconds: 60,
    keepAliveSeconds: 7,
    now: () => nowMs,
  });
  const write = (sandbox: string) =>
    service.send('PATCH /api/Books/1', {
      json: { title: sandbox },
      headers: { 'x-sandbox': sandbox },
    });
  const titleIn = async (sandbox: string) =>
    (await service.send('GET /api/Books/1', { headers: { 'x-sandbox': sandbox } })).json.title;

  test('reports its limits to callers', async () => {
    const { json } = await service.send('GET /api/sandbox');
    expect(json.limits).toMatchObject({ sandboxes: 1, idleSeconds: 60 });
  });

  test('keeps the configured number of sandboxes', async () => {
    await write('first');
    await write('second');
    expect(await titleIn('second')).toBe('second');
    expect(await titleIn('first')).not.toBe('first');
  });

  test('drops a sandbox that is unused for the configured time', async () => {
    await write('short');
    nowMs += 59_000;
    expect(await titleIn('short')).toBe('short');
    nowMs += hourMs;
    expect(await titleIn('short')).not.toBe('short');
  });

  test('keeps idle connections for the configured time', async () => {
    const { headers } = await service.send('GET /health', {
      headers: { connection: 'keep-alive' },
    });
    expect(headers['keep-alive']).toBe('timeout=7');
  });
});
