import { describe, expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';

const start = Date.UTC(2030, 0, 1);
const dayMs = 24 * 60 * 60 * 1000;
let nowMs = start;
const now = () => nowMs;
const service = useService({ accounts: 'required', signUpsPerHour: 1_000, now });
const { send } = service;
const me = '/api/accounts/me';
const withKey = (key: string) => ({ headers: { 'X-Service-Key': key } });

test('GET /api/accounts explains what an account is for and what it may do', async () => {
  expect((await send('GET /api/accounts')).json).toEqual({
    isRequired: true,
    header: 'X-Service-Key',
    limits: { requestsPerMinute: 600, sandboxes: 20, signUpsPerHour: 1000 },
  });
});

describe('POST /api/accounts', () => {
  test('creates an account and returns its key', async () => {
    const { status, headers, json } = await send('POST /api/accounts', { json: { name: 'Zoë' } });
    expect(status).toBe(201);
    expect(headers).toMatchObject({
      location: `${service.url}${me}`,
      'cache-control': 'no-store',
    });
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Zoë',
      createdAt: '2030-01-01T00:00:00.000Z',
      keyCreatedAt: '2030-01-01T00:00:00.000Z',
      expiresAt: '2030-01-08T00:00:00.000Z',
      limits: { requestsPerMinute: 600, sandboxes: 20 },
      key: expect.stringMatching(/^psk_[0-9a-f]{24}_[0-9a-f]{72}$/),
    });
  });

  test.each([
    ['no body', {}],
    ['an empty object', { json: {} }],
    ['no name', { json: { name: null } }],
  ])('accepts %s', async (_case, options) => {
    const { status, json } = await send('POST /api/accounts', options);
    expect([status, json.name]).toEqual([201, null]);
  });

  test.each([
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a name that is a number', { name: 1 }, 'name'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['an unknown field', { key: 'psk_mine' }, 'key'],
  ])('rejects %s', async (_case, json, field) => {
    const response = await send('POST /api/accounts', { json });
    expect(response.status).toBe(400);
    expect(response.json.errors[0].field).toBe(field);
  });

  test('ignores fields named like members of Object.prototype', async () => {
    const body = '{"__proto__": {"name": "mine"}, "constructor": 1}';
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await send('POST /api/accounts', { headers, body });
    expect(status).toBe(400);
  });
});

describe('the account of a key', () => {
  test('is shown without the key', async () => {
    const { id, key } = await signUp(service);
    const { status, headers, json, text } = await send(`GET ${me}`, withKey(key));
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toMatchObject({ id, name: null });
    expect(json).not.toHaveProperty('key');
    expect(text).not.toMatch(/psk_|hash/i);
  });

  test('can be replaced, which invalidates the previous key', async () => {
    const { id, key } = await signUp(service);
    nowMs += 1000;
    const { status, headers, json } = await send(`POST ${me}/rotate`, withKey(key));
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json.id).toBe(id);
    expect(json.key).not.toBe(key);
    expect(Date.parse(json.keyCreatedAt) - Date.parse(json.createdAt)).toBe(1000);
    for (const target of [`GET ${me}`, `POST ${me}/rotate`, `DELETE ${me}`, 'GET /api/Events/1']) {
      expect((await send(target, withKey(key))).status, target).toBe(401);
    }
    expect((await send('GET /api/Events/1', withKey(json.key))).status).toBe(200);
  });

  test('keeps its sandboxes when the key is rotated', async () => {
    const account = await signUp(service);
    await account.send('DELETE /api/Books/1');
    const { json } = await account.send(`POST ${me}/rotate`);
    expect((await send('GET /api/Books/1', withKey(json.key))).status).toBe(404);
  });

  test('is rotated by exactly one of many concurrent requests', async () => {
    const { key } = await signUp(service);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => send(`POST ${me}/rotate`, withKey(key))),
    );
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(19);
    expect((await send(`GET ${me}`, withKey(winners[0]?.json.key))).status).toBe(200);
  });

  test('is deleted with its sandboxes and bins', async () => {
    const account = await signUp(service);
    const mine = account.inSandbox('mine');
    const { json: bin } = await mine('POST /api/webhooks/bins');
    expect((await send(`POST /api/webhooks/${bin.id}`)).status).toBe(200);
    expect((await account.send(`DELETE ${me}`)).status).toBe(204);
    expect((await send(`POST /api/webhooks/${bin.id}`)).status).toBe(404);
    for (const target of [`GET ${me}`, `DELETE ${me}`, 'GET /graphql?query={__typename}']) {
      expect((await account.send(target)).status).toBe(401);
    }
  });

  test('is deleted once by many concurrent requests', async () => {
    const account = await signUp(service);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => account.send(`DELETE ${me}`)),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(9);
  });
});

describe('an account', () => {
  test('expires after a week if it was never used', async () => {
    const account = await signUp(service);
    nowMs += 7 * dayMs;
    expect((await account.send(`GET ${me}`)).status).toBe(401);
  });

  test('expires 90 days after its last use, whatever was used', async () => {
    const account = await signUp(service);
    nowMs += 7 * dayMs - 1;
    expect((await account.send('GET /api/Events/1')).status).toBe(200);
    nowMs += 89 * dayMs;
    expect((await account.send(`GET ${me}`)).json.expiresAt).toBe(
      new Date(nowMs + 90 * dayMs).toISOString(),
    );
    nowMs += 90 * dayMs;
    expect((await account.send('GET /api/Events/1')).status).toBe(401);
  });

  test('is used for a day without a write to the store', async () => {
    const account = await signUp(service);
    const expiryAfter = async (ms: number) => {
      nowMs += ms;
      return Date.parse((await account.send(`GET ${me}`)).json.expiresAt) - nowMs;
    };
    expect(await expiryAfter(0)).toBe(90 * dayMs);
    expect(await expiryAfter(dayMs - 1)).toBe(89 * dayMs + 1);
    expect(await expiryAfter(1)).toBe(90 * dayMs);
  });

  test('ignores the clock of a sandbox for its expiry', async () => {
    const account = await signUp(service);
    const json = { offsetSeconds: 200 * 24 * 60 * 60 };
    expect((await account.send('PUT /api/sandbox/clock', { json })).status).toBe(200);
    expect((await account.send(`GET ${me}`)).status).toBe(200);
  });
});
