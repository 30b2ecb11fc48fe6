/** URLs that act as an account, for clients that cannot send its key. */

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { signUp, type TestAccount } from '../support/accounts.js';
import { isProxied } from '../support/create-service.js';
import { useService } from '../support/service.js';

const quota = 400;
const service = useService({ accounts: 'required', signUpsPerHour: 1000, accountQuota: quota });
const { send } = service;

interface Made {
  readonly address: string;
  readonly sandbox: string;
  readonly createdAt: string;
  /** The path of the URL. */
  readonly at: string;
  /** Its name in the DELETE request. */
  readonly segment: string;
}

async function makeAddress(account: TestAccount, sandbox?: string): Promise<Made> {
  const own = sandbox === undefined ? account.send : account.inSandbox(sandbox);
  const { status, json } = await own('POST /api/sandbox/address');
  expect(status).toBe(201);
  expect(Object.keys(json)).toEqual(['address', 'sandbox', 'createdAt']);
  expect(json.address).toMatch(/\/s\/~[\w-]{22}$/);
  const at = json.address.slice(service.url.length);
  return { ...json, at, segment: at.slice('/s/'.length) };
}

const statusOf = async (target: string, headers = {}) => (await send(target, { headers })).status;

test('the URL acts as the account in the sandbox that it was created in', async () => {
  const account = await signUp(service);
  const { at, address, sandbox, createdAt } = await makeAddress(account, 'mine');
  expect(address).toBe(`${service.url}${at}`);
  expect(sandbox).toBe('mine');
  expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);

  expect((await send(`GET ${at}/api/sandbox`)).json).toMatchObject({ name: 'mine' });
  await send(`PATCH ${at}/api/Books/1`, { json: { title: 'By URL' } });
  expect((await account.inSandbox('mine')('GET /api/Books/1')).json.title).toBe('By URL');
  expect((await account.send('GET /api/Books/1')).json.title).toBe('The Hobbit');
  const { json: bin, headers } = await send(`POST ${at}/api/webhooks/bins`, { json: {} });
  expect(bin.url).toBe(`${address}/api/webhooks/${bin.id}`);
  expect(headers.location).toBe(`${address}/api/webhooks/bins/${bin.id}`);
  expect((await send(`GET ${at}/api/webhooks/bins`)).json).toHaveLength(1);
});

test('a URL created without a sandbox uses the default sandbox of the account', async () => {
  const account = await signUp(service);
  const { at, sandbox } = await makeAddress(account);
  expect(sandbox).toBe('default');
  await send(`DELETE ${at}/api/Books/1`);
  expect((await account.send('GET /api/Books/1')).status).toBe(404);
  expect((await send(`GET ${at}/api/sandbox`)).json).toMatchObject({ name: 'default' });
  expect(await statusOf(`GET ${at}/api/sandbox`, { 'X-Sandbox': 'default' })).toBe(400);
});

test('a plain name below /s/ requires the key, as the header does', async () => {
  const account = await signUp(service);
  expect(await statusOf('GET /s/mine/api/Books/1')).toBe(401);
  expect((await account.send('GET /s/mine/api/sandbox')).json.name).toBe('mine');
  const { json } = await account.send('POST /s/mine/api/sandbox/address');
  expect(json.sandbox).toBe('mine');
  expect(json.address).toMatch(new RegExp(`^${service.url}/s/~[\\w-]{22}$`));
});

test('a conflicting key or sandbox is 400; a matching one is accepted', async () => {
  const [account, other] = [await signUp(service), await signUp(service)];
  const { at } = await makeAddress(account, 'mine');
  for (const path of ['/api/Books/1', '/health', '/', '/bins', '/api/methods/get', '/nothing']) {
    const of = (headers: object) => statusOf(`GET ${at}${path}`, headers);
    expect([path, await of({ 'X-Service-Key': other.key })]).toEqual([path, 400]);
    expect([path, await of({ 'X-Service-Key': 'psk_not_a_key' })]).toEqual([path, 400]);
    expect([path, await of({ 'X-Sandbox': 'other' })]).toEqual([path, 400]);
    const agreeing = { 'X-Service-Key': account.key, 'X-Sandbox': 'mine' };
    expect([path, await of(agreeing)]).toEqual([path, path === '/nothing' ? 404 : 200]);
  }
});

describe('the URL is revoked', () => {
  test('when its account deletes it, which no other account can do', async () => {
    const [account, other] = [await signUp(service), await signUp(service)];
    const { at, segment } = await makeAddress(account);
    const path = `/api/sandbox/address/${segment}`;
    expect((await other.send(`DELETE ${path}`)).status).toBe(404);
    expect(await statusOf(`DELETE ${path}`)).toBe(401);
    expect(await statusOf(`GET ${at}/api/Books/1`)).toBe(200);
    expect((await account.send(`DELETE ${path}`)).status).toBe(204);
    expect(await statusOf(`GET ${at}/api/Books/1`)).toBe(404);
    expect(await statusOf(`GET ${at}/health`)).toBe(404);
    expect((await account.send(`DELETE ${path}`)).status).toBe(404);
  });

  test('when the key is rotated', async () => {
    const account = await signUp(service);
    const { at } = await makeAddress(account);
    const rotated = await account.send('POST /api/accounts/me/rotate');
    expect(await statusOf(`GET ${at}/api/Books/1`)).toBe(404);
    const headers = { 'X-Service-Key': rotated.json.key };
    expect((await send('GET /api/sandbox/address', { headers })).json).toEqual([]);
    expect(await statusOf('POST /api/sandbox/address', headers)).toBe(201);
    expect((await send('GET /api/sandbox/address', { headers })).json).toHaveLength(1);
  });

  test('with its account', async () => {
    const account = await signUp(service);
    const { at } = await makeAddress(account);
    expect((await account.send('DELETE /api/accounts/me')).status).toBe(204);
    expect(await statusOf(`GET ${at}/api/Books/1`)).toBe(404);
  });

  test('but not by a reset of the sandbox', async () => {
    const account = await signUp(service);
    const { at } = await makeAddress(account);
    expect(await statusOf(`DELETE ${at}/api/sandbox`)).toBe(204);
    expect(await statusOf(`GET ${at}/api/Books/1`)).toBe(200);
  });
});

test('the list has only the URLs of the account, newest first', async () => {
  const [account, other] = [await signUp(service), await signUp(service)];
  const made = [await makeAddress(account, 'a'), await makeAddress(account)];
  await makeAddress(other);
  const shown = made.map(({ address, sandbox, createdAt }) => ({ address, sandbox, createdAt }));
  expect((await account.send('GET /api/sandbox/address')).json).toEqual(shown.reverse());
});

test('the 101st URL is 409, until another is deleted', async () => {
  const account = await signUp(service);
  const made: Made[] = [];
  for (let count = 1; count <= 100; count++) made.push(await makeAddress(account));
  const rejected = await account.send('POST /api/sandbox/address');
  expect(rejected.status).toBe(409);
  expect(rejected.json.message).toContain('100 addresses');
  expect((await account.send('GET /api/sandbox/address')).json).toHaveLength(100);
  expect(new Set(made.map(({ address }) => address)).size).toBe(100);
  const ended = `DELETE /api/sandbox/address/${made[50]?.segment}`;
  expect((await account.send(ended)).status).toBe(204);
  await makeAddress(account);
});

test('of 110 concurrent creations, 100 succeed', async () => {
  const account = await signUp(service);
  const statuses = await Promise.all(
    Array.from(
      { length: 110 },
      async () => (await account.send('POST /api/sandbox/address')).status,
    ),
  );
  const expected = Array.from({ length: 110 }, (_, place) => (place < 100 ? 201 : 409));
  expect(statuses.sort()).toEqual(expected);
});

test('requests to it count against the quota of the account', async () => {
  const account = await signUp(service);
  const { at } = await makeAddress(account);
  for (let count = 2; count <= quota; count++) await send(`GET ${at}/api/RateLimit/status`);
  const rejected = await send(`GET ${at}/api/RateLimit/status`);
  expect(rejected.status).toBe(429);
  expect(rejected.headers['retry-after']).toMatch(/^\d+$/);
  // Open routes do not count against the quota.
  expect(await statusOf(`GET ${at}/api/methods/get`)).toBe(200);
});

test('managing the account and its URLs requires the key, below the URL as well', async () => {
  const account = await signUp(service);
  const { at, segment } = await makeAddress(account);
  for (const target of [
    `POST ${at}/api/sandbox/address`,
    `GET ${at}/api/sandbox/address`,
    `DELETE ${at}/api/sandbox/address/${segment}`,
    `GET ${at}/api/accounts/me`,
    `POST ${at}/api/accounts/me/rotate`,
    `DELETE ${at}/api/accounts/me`,
  ]) {
    expect([target, await statusOf(target)]).toEqual([target, 401]);
  }
  expect((await account.send(`POST ${at}/api/sandbox/address`)).status).toBe(201);
});

test.each([
  `/s/~${'A'.repeat(22)}/api/Books`,
  `/s/~${'A'.repeat(22)}/`,
  `/s/~${'A'.repeat(22)}`,
  `/s/~${'A'.repeat(21)}/health`,
  `/s/~${'A'.repeat(5000)}/health`,
  '/s/~/health',
  '/s/~%00/health',
  `/.well-known/oauth-authorization-server/s/~${'A'.repeat(22)}`,
])('an unknown URL is 404: %s', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await send(`${method} ${path}`);
    expect([method, status]).toEqual([method, 404]);
    expect(headers['cache-control']).toBe('no-store');
  }
});

test('issuer, pages and links below the URL stay below it', async () => {
  const account = await signUp(service);
  const { at, address } = await makeAddress(account);
  const wellKnown = '/.well-known/oauth-authorization-server';
  for (const path of [`${at}${wellKnown}`, `${wellKnown}${at}`]) {
    expect((await send(`GET ${path}`)).json.issuer).toBe(address);
  }
  const { headers, json } = await send(`GET ${at}`);
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(json.areas[0].start.startsWith(`${address}/`)).toBe(true);
});

test('a bin shows no URL, because everyone who knows its id can read it', async () => {
  const [account, other] = [await signUp(service), await signUp(service)];
  const { at } = await makeAddress(account);
  for (const owner of [other, account]) {
    const { json: bin } = await owner.send('POST /api/webhooks/bins', { json: {} });
    await send(`POST ${at}/api/webhooks/${bin.id}/x?y=1`, { body: 'z' });
    const { json } = await owner.send(`GET /api/webhooks/bins/${bin.id}/requests`);
    expect(json[0]).toMatchObject({ path: `/s/~…/api/webhooks/${bin.id}/x`, subPath: '/x' });
  }
});

test.skipIf(isProxied)('a stream below a URL continues without any header', async () => {
  const account = await signUp(service);
  const { at } = await makeAddress(account);
  const { json: bin } = await send(`POST ${at}/api/webhooks/bins`, { json: {} });
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const seen = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('from afar')) resolve(text);
    });
  });
  socket.write(
    `GET ${at}/api/webhooks/bins/${bin.id}/events?lastEventId=0 HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  await send(`POST /api/webhooks/${bin.id}`, { body: 'from afar' });
  expect(await seen).toContain('text/event-stream');
  socket.destroy();
});
