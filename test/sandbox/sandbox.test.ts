import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

let nowMs = Date.UTC(2030, 0, 1);
const { send } = useService({ now: () => nowMs });
const named = (name: string) => ({ headers: { 'X-Sandbox': name } });

describe('GET /api/sandbox', () => {
  test('describes the shared sandbox to a caller that names none', async () => {
    const { json } = await send('GET /api/sandbox');
    expect(json).toEqual({
      name: 'shared',
      isShared: true,
      isPristine: true,
      createdAt: null,
      lastUsedAt: null,
      expiresAt: null,
      clock: { now: '2030-01-01T00:00:00.000Z', offsetSeconds: 0 },
      limits: { sandboxes: 1000, idleSeconds: 3600, createdRecordsPerCollection: 1000 },
    });
  });

  test('shows since when a sandbox exists and when it expires', async () => {
    await send('PUT /api/sandbox/clock', { ...named('mine'), json: { offsetSeconds: 60 } });
    nowMs += 1000;
    expect((await send('GET /api/sandbox', named('mine'))).json).toMatchObject({
      name: 'mine',
      isShared: false,
      isPristine: false,
      createdAt: '2030-01-01T00:00:00.000Z',
      lastUsedAt: '2030-01-01T00:00:01.000Z',
      expiresAt: '2030-01-01T01:00:01.000Z',
      clock: { now: '2030-01-01T00:01:01.000Z', offsetSeconds: 60 },
    });
  });

  test('returns a pristine sandbox after an hour without use', async () => {
    await send('PUT /api/sandbox/clock', { ...named('idle'), json: { offsetSeconds: 60 } });
    nowMs += 3_600_000;
    expect((await send('GET /api/sandbox', named('idle'))).json).toMatchObject({
      isPristine: true,
      clock: { offsetSeconds: 0 },
    });
  });
});

describe('the name of a sandbox', () => {
  test.each(['a', 'A.b_c-9', 'x'.repeat(64), '__proto__', '..'])('may be %s', async (name) => {
    expect((await send('GET /api/sandbox', named(name))).json.name).toBe(name);
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a/b', 'ž', 'a,b', '*'])('may not be %j', async (name) => {
    const headers = [['X-Sandbox', Buffer.from(name).toString('latin1')]] as const;
    const { status, json } = await send('GET /api/sandbox', { headers });
    expect(status).toBe(400);
    expect(json.message).toContain('Invalid X-Sandbox: send it once, with 1 to 64 letters');
  });

  test('may not be sent twice', async () => {
    const headers = [
      ['X-Sandbox', 'a'],
      ['X-Sandbox', 'b'],
    ] as const;
    expect((await send('GET /api/sandbox', { headers })).status).toBe(400);
  });

  test('is checked at every path, so that no caller writes to the shared sandbox by mistake', async () => {
    expect((await send('GET /api/methods/get', named('a b'))).status).toBe(400);
  });
});

describe('the clock of a sandbox', () => {
  test('moves by itself and ends with the reset', async () => {
    const put = await send('PUT /api/sandbox/clock', {
      ...named('time'),
      json: { offsetSeconds: -0.5 },
    });
    const now = new Date(nowMs - 500).toISOString();
    expect(put.json).toEqual({ now, offsetSeconds: -0.5 });
    expect((await send('GET /api/sandbox/clock', named('time'))).json).toEqual(put.json);
    expect((await send('GET /api/sandbox/clock', named('other'))).json.offsetSeconds).toBe(0);
    expect((await send('DELETE /api/sandbox', named('time'))).status).toBe(204);
    expect((await send('GET /api/sandbox/clock', named('time'))).json.offsetSeconds).toBe(0);
  });

  test('of the shared sandbox stays the real one', async () => {
    const { status, json } = await send('PUT /api/sandbox/clock', { json: { offsetSeconds: 1 } });
    expect(status).toBe(400);
    expect(json.message).toContain('Name a private one with X-Sandbox');
  });

  test.each([
    [{}, 'offsetSeconds'],
    [{ offsetSeconds: '5' }, 'offsetSeconds'],
    [{ offsetSeconds: null }, 'offsetSeconds'],
    [{ offsetSeconds: 1e9 }, 'offsetSeconds'],
    [{ offsetSeconds: -1e9 }, 'offsetSeconds'],
    [{ offsetSeconds: 1, now: 2 }, 'now'],
  ])('rejects %j', async (json, field) => {
    const response = await send('PUT /api/sandbox/clock', { ...named('time'), json });
    expect(response.status).toBe(400);
    expect(response.json.errors[0].field).toBe(field);
  });
});
