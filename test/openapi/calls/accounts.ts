import type { CallTable } from '../caller.js';

/** Creates as many accounts as the service allows. */
export const maxAccounts = 3;

const signUpsPerHour = 10;

export const callAccounts: CallTable = async (caller) => {
  await caller.call('getAccounts', 'What this service asks for');

  const named = await caller.call('postAccounts', 'With a name', { json: { name: 'My suite' } });
  await caller.call('postAccounts', 'A name that is none', { json: { name: 7 } });
  const own = { 'X-Service-Key': named.json.key as string };
  await caller.call('getAccountsMe', 'My own', { headers: own });
  await caller.call('getAccountsMe', 'Without a key');
  const rotated = await caller.call('postAccountsMeRotate', 'My own', { headers: own });
  await caller.call('postAccountsMeRotate', 'A key that has ended', { headers: own });
  await caller.call('deleteAccountsMe', 'A key that has ended', { headers: own });
  const next = { 'X-Service-Key': rotated.json.key as string };
  await caller.call('deleteAccountsMe', 'My own', { headers: next });

  for (let count = 1; count <= maxAccounts; count++) await caller.send('postAccounts');
  await caller.call('postAccounts', 'A full house', {});
  const signedUp = 1 + maxAccounts + 1;
  for (let count = signedUp; count < signUpsPerHour; count++) await caller.send('postAccounts');
  await caller.call('postAccounts', 'Too many of one address', {});
};
