import { expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';
import { path, seedOf } from './hunter.js';

const quota = 20;
const service = useService({
  accounts: 'required',
  signUpsPerHour: 1000,
  accountQuota: quota,
});

test('an account finds bugs in its sandboxes, and a report counts once for its quota', async () => {
  const { key } = await signUp(service);
  const { key: other } = await signUp(service);
  const as =
    (sent: string) =>
    (target: string, options: Parameters<typeof service.send>[1] = {}) =>
      service.send(target, { ...options, headers: { 'X-Service-Key': sent, ...options.headers } });
  const call = as(key);
  const json = { level: 'senior', count: 1, seed: seedOf('last-item-unknown') };
  await call(`PUT ${path}`, { json });
  const item = '/api/pagination/items/100';
  expect((await call(`GET ${item}`)).status).toBe(404);
  const report = { method: 'GET', path: item, expected: 200, actual: 404 };
  expect((await call(`POST ${path}/reports`, { json: report })).json.verdict).toBe('found');
  expect((await as(other)(`GET ${path}`)).json).toMatchObject({ level: null, count: 0 });
  expect((await as(other)('GET /api/pagination/items/100')).status).toBe(200);
  for (let sent = 3; sent < quota; sent++) {
    expect((await call(`POST ${path}/reports`, { json: report })).json.verdict).toBe(
      'already found',
    );
  }
  expect((await call(`POST ${path}/reports`, { json: report })).status).toBe(429);
});
