import type { CallTable } from '../caller.js';

/** Creates as many accounts as the service allows. */
export const maxAccounts = 3;

const signUpsPerHour = 10;

export const callAccounts: CallTable = async (caller) => {
  const named = await caller.call('postAccounts', 'With a name', { json: { name: 'My suite' } });
  await caller.call('postAccounts', 'An invalid name', { json: { name: 7 } });
  const own = { 'X-Service-Key': named.json.key as string };
  await caller.call('getAccountsMe', "The caller's account", { headers: own });
  const rotated = await caller.call('postAccountsMeRotate', "The caller's account", {
    headers: own,
  });
  await caller.call('postAccountsMeRotate', 'A deleted key', { headers: own });
  await caller.call('deleteAccountsMe', 'A deleted key', { headers: own });
  const next = { 'X-Service-Key': rotated.json.key as string };
  await caller.call('deleteAccountsMe', "The caller's account", { headers: next });

  for (let count = 1; count <= maxAccounts; count++) await caller.send('postAccounts');
  await caller.call('postAccounts', 'Too many accounts', {});
  const signedUp = 1 + maxAccounts + 1;
  for (let count = signedUp; count < signUpsPerHour; count++) await caller.send('postAccounts');
  await caller.call('postAccounts', 'Too many from one IP address', {});
};
