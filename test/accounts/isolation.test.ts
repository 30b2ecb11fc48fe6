/** No account sees what another account writes, in any area that changes data. */

import { beforeAll, describe, expect, test } from 'vitest';
import { signUp, type TestAccount } from '../support/accounts.js';
import { type Case, isolationCases, type Send } from '../support/isolation-cases.js';
import { useService } from '../support/service.js';

const service = useService({
  accounts: 'required',
  signUpsPerHour: 1000,
  accountQuota: 100_000,
  now: () => Date.UTC(2030, 0, 1),
});

describe.each(Object.entries(isolationCases) as [string, Case<unknown>][])('%s', (_name, each) => {
  const { write, read } = each;
  let [mine, other]: TestAccount[] = [];
  beforeAll(async () => {
    [mine, other] = [await signUp(service), await signUp(service)];
  });

  test.each([
    ['the sandbox of an account', undefined],
    ['a sandbox of the same name in both accounts', 'same'],
  ])('only the account sees what it writes in %s', async (_case, name) => {
    const enter = (account: TestAccount | undefined, own = name) =>
      (own === undefined ? account?.send : account?.inSandbox(own)) as Send;
    const written = await write(enter(mine));
    await enter(other)('DELETE /api/sandbox');
    const seen = await read(enter(mine), written);
    const pristine = await read(enter(other), written);
    expect(seen).not.toBe(pristine);
    const elsewhere = name === undefined ? 'same' : undefined;
    expect(await read(enter(other, elsewhere), written)).toBe(pristine);
    if (name !== undefined) expect(await read(enter(mine, 'another'), written)).toBe(pristine);
  });
});

test('only its own account can read and change a bin, by any route', async () => {
  const [mine, other] = [await signUp(service), await signUp(service)];
  const { json: bin } = await mine.inSandbox('mine')('POST /api/webhooks/bins');
  const path = `/api/webhooks/bins/${bin.id}`;
  for (const send of [other.send, other.inSandbox('mine'), mine.inSandbox('another')]) {
    for (const target of [
      `GET ${path}`,
      `GET ${path}/requests`,
      `GET ${path}/requests/1/body`,
      `GET ${path}/events`,
      `DELETE ${path}/requests`,
      `DELETE ${path}`,
    ]) {
      expect((await send(target)).status, target).toBe(404);
    }
    expect((await send(`PATCH ${path}`, { json: { name: 'taken' } })).status).toBe(404);
  }
  // A request without a sandbox reaches every bin of its account.
  expect((await mine.send(`GET ${path}`)).status).toBe(200);
});

test.each([
  'GET /api/Books',
  'GET /api/Books/1',
  'GET /graphql?query={__typename}',
  'HEAD /api/sandbox',
])('no cache on the way returns the response to %s to another account', async (target) => {
  const { status, headers } = await (await signUp(service)).send(target);
  expect(status).toBe(200);
  expect(headers['cache-control']).toMatch(/private|no-store/);
});

test('an account sees the sandbox names it chose, not the internal ones', async () => {
  const account = await signUp(service);
  const { json } = await account.send('GET /api/sandbox');
  expect(json).toMatchObject({ name: 'default', isShared: false, isPristine: true });
  expect(json.limits.sandboxes).toBe(20);
  const named = await account.inSandbox('mine')('GET /api/sandbox');
  expect(named.json).toMatchObject({ name: 'mine', isShared: false });
  expect(named.text).not.toContain(account.id);
});

test('an account with too many sandboxes loses its own oldest, and other accounts lose none', async () => {
  const [greedy, other] = [await signUp(service), await signUp(service)];
  await other.send('DELETE /api/Books/1');
  await greedy.send('DELETE /api/Books/1');
  for (let count = 1; count <= 40; count++) {
    await greedy.inSandbox(`s${count}`)('DELETE /api/Books/1');
  }
  expect((await greedy.send('GET /api/sandbox')).json.isPristine).toBe(true);
  for (const [name, isPristine] of [
    ['s20', true],
    ['s21', false],
    ['s40', false],
  ] as const) {
    expect((await greedy.inSandbox(name)('GET /api/sandbox')).json.isPristine).toBe(isPristine);
  }
  expect((await other.send('GET /api/Books/1')).status).toBe(404);
});
