/** Uses a state that responds later, like a shared one; test/accounts has the rest, over HTTP. */

import { expect, test } from 'vitest';
import { createMemoryState } from '#state/memory/memory-state.js';
import { serviceSandboxName } from '#state/state.js';
import { respondingLater } from '../../test/support/responding-later.js';
import { parseAccountKey } from './account-key.js';
import { Accounts, type KeyedAccount } from './accounts.js';

function setUp() {
  const time = { nowMs: 1_000_000 };
  const memory = createMemoryState({ clock: () => time.nowMs });
  const limits = { accountQuota: 5, signUpsPerHour: 2, maxAccounts: 2 };
  return { time, memory, accounts: new Accounts(respondingLater(memory), limits) };
}

const keyOf = ({ key }: KeyedAccount) => parseAccountKey(key) ?? expect.fail('It is no key.');

test('an account is created, found, given another key and removed', async () => {
  const { accounts } = setUp();
  const made = await accounts.create('mine');
  expect((await accounts.find(keyOf(made)))?.id).toBe(made.account.id);
  const rotated = (await accounts.rotate(keyOf(made))) ?? expect.fail('It was not rotated.');
  expect(await accounts.find(keyOf(made))).toBeUndefined();
  expect(await accounts.remove(keyOf(made))).toBe(false);
  expect(await accounts.remove(keyOf(rotated))).toBe(true);
  expect(await accounts.find(keyOf(rotated))).toBeUndefined();
});

test('of many simultaneous rotations and removals with one key, one succeeds', async () => {
  const { accounts } = setUp();
  const key = keyOf(await accounts.create(null));
  const outcomes = await Promise.all([
    ...Array.from({ length: 10 }, () => accounts.rotate(key)),
    accounts.remove(key),
    ...Array.from({ length: 10 }, () => accounts.rotate(key)),
  ]);
  expect(outcomes.filter(Boolean)).toHaveLength(1);
});

test('of many simultaneous requests, the quota is accepted', async () => {
  const { accounts } = setUp();
  const key = keyOf(await accounts.create(null));
  const admissions = await Promise.all(Array.from({ length: 20 }, () => accounts.admit(key)));
  expect(admissions.filter((each) => each?.isAccepted)).toHaveLength(5);
});

test('a concurrent use does not restore a removed account', async () => {
  const { time, accounts } = setUp();
  const key = keyOf(await accounts.create(null));
  for (let round = 0; round < 3; round++) {
    // Each use on another day postpones expiry, which is a write.
    time.nowMs += 24 * 60 * 60 * 1000;
    await accounts.admit(key);
  }
  time.nowMs += 24 * 60 * 60 * 1000;
  await Promise.all([accounts.admit(key), accounts.remove(key), accounts.find(key)]);
  expect(await accounts.find(key)).toBeUndefined();
});

test('no key is stored, nor anything that reveals it', async () => {
  const { memory, accounts } = setUp();
  const made = await accounts.create(null);
  const space = { name: 'accounts', maxKeys: 2 };
  const stored = JSON.stringify(await memory.sandbox(serviceSandboxName).entries(space));
  expect(stored).toContain(made.account.id);
  const secret = made.key.split('_')[2] ?? '';
  expect(stored).not.toContain(secret);
  for (let start = 0; start + 8 <= secret.length; start++) {
    expect(stored).not.toContain(secret.slice(start, start + 8));
  }
});

test('the quota is removed with the account', async () => {
  const { memory, accounts } = setUp();
  const key = keyOf(await accounts.create(null));
  await accounts.admit(key);
  const service = memory.sandbox(serviceSandboxName);
  const quotas = { name: 'account-quotas', maxKeys: 2 };
  expect(await service.entries(quotas)).toHaveLength(1);
  await accounts.remove(key);
  expect(await service.entries(quotas)).toEqual([]);
});
