import { expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

test.each([
  ['no key', []],
  ['an invalid key', [['X-Service-Key', 'nonsense']]],
  [
    'several keys',
    [
      ['X-Service-Key', 'a'],
      ['X-Service-Key', 'b'],
    ],
  ],
] as const)('an open service responds to a request with %s', async (_case, headers) => {
  expect((await send('GET /api/Events', { headers })).status).toBe(200);
});

test('an open service supports accounts too, so that scripts for other services run here', async () => {
  const account = await signUp(service);
  expect((await account.send('GET /api/accounts/me')).json.id).toBe(account.id);
  expect((await account.send('GET /api/sandbox')).json.name).toBe('shared');
  const { json } = await account.send('POST /api/accounts/me/rotate');
  expect((await account.send('GET /api/accounts/me')).status).toBe(401);
  const headers = { 'X-Service-Key': json.key };
  expect((await send('DELETE /api/accounts/me', { headers })).status).toBe(204);
  expect((await send('GET /api/accounts/me', { headers })).status).toBe(401);
});

test('deleting an account of an open service deletes only its data', async () => {
  const mine = { 'X-Sandbox': 'mine' };
  const account = await signUp(service);
  await send('DELETE /api/Books/1', { headers: mine });
  await account.send('DELETE /api/accounts/me');
  expect((await send('GET /api/Books/1', { headers: mine })).status).toBe(404);
});
