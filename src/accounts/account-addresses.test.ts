/** Uses a state that responds later, like a shared one; test/accounts has the rest, over HTTP. */

import { expect, test } from 'vitest';
import { createMemoryState } from '#state/memory/memory-state.js';
import { serviceSandboxName } from '#state/state.js';
import { respondingLater } from '../../test/support/responding-later.js';
import { parseAccountKey } from './account-key.js';
import { Accounts, unusedDays } from './accounts.js';

const dayMs = 24 * 60 * 60 * 1000;

async function setUp() {
  const time = { nowMs: 1_000_000 };
  const memory = createMemoryState({ clock: () => time.nowMs });
  const limits = { accountQuota: 1000, signUpsPerHour: 2, maxAccounts: 5 };
  const accounts = new Accounts(respondingLater(memory), limits);
  const { key: text } = await accounts.create(null);
  const key = parseAccountKey(text) ?? expect.fail('It is no key.');
  await accounts.admit(key);
  /** Returns how many addresses and lists of addresses the state holds. */
  async function held() {
    const service = memory.sandbox(serviceSandboxName);
    const count = async (name: string) => (await service.entries({ name, maxKeys: 1 })).length;
    return [await count('account-addresses'), await count('account-address-lists')];
  }
  return { time, memory, accounts, key, held };
}

test('an address is found until it is deleted, and only by its own key', async () => {
  const { accounts, key, held } = await setUp();
  const made = (await accounts.makeAddress(key, 'mine')) ?? expect.fail('It was not made.');
  expect(await accounts.findAddressed(made.secret)).toEqual({ key, sandbox: 'mine' });
  const other = parseAccountKey((await accounts.create(null)).key) ?? expect.fail('No key.');
  expect(await accounts.removeAddress(other, made.secret)).toBe(false);
  expect(await accounts.removeAddress(key, made.secret)).toBe(true);
  expect(await accounts.findAddressed(made.secret)).toBeUndefined();
  expect(await held()).toEqual([0, 0]);
});

test.each([
  ['rotated', (accounts: Accounts, key: never) => accounts.rotate(key)],
  ['its account removed', (accounts: Accounts, key: never) => accounts.remove(key)],
])('nothing remains of any address if the key is %s', async (_how, end) => {
  const { accounts, key, held } = await setUp();
  const made = await Promise.all([1, 2, 3].map(() => accounts.makeAddress(key, '')));
  expect(await held()).toEqual([3, 1]);
  await end(accounts, key as never);
  for (const address of made) {
    expect(await accounts.findAddressed(address?.secret ?? '')).toBeUndefined();
  }
  expect(await held()).toEqual([0, 0]);
  expect(await accounts.makeAddress(key, '')).toBeUndefined();
});

test('it lives as long as the account is used, by itself or by the key', async () => {
  const { time, accounts, key, held } = await setUp();
  const { secret = '' } = (await accounts.makeAddress(key, 'mine')) ?? {};
  for (let times = 1; times <= 6; times++) {
    time.nowMs += (unusedDays - 1) * dayMs;
    const found = await accounts.findAddressed(secret);
    expect(found?.sandbox).toBe('mine');
    await accounts.admit(found?.key ?? key);
  }
  time.nowMs += (unusedDays + 1) * dayMs;
  expect(await accounts.findAddressed(secret)).toBeUndefined();
  expect(await held()).toEqual([0, 0]);
});

test('the state does not find an address by its internal name', async () => {
  const { memory, accounts, key } = await setUp();
  const { secret = '' } = (await accounts.makeAddress(key, 'mine')) ?? {};
  const space = { name: 'account-addresses', maxKeys: 1 };
  const [[id = ''] = []] = await memory.sandbox(serviceSandboxName).entries(space);
  expect(id).not.toContain(secret);
  expect(await accounts.findAddressed(id)).toBeUndefined();
});
