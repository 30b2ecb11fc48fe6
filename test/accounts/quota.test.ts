import { expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';

let nowMs = Date.UTC(2030, 0, 1);
const service = useService({ accounts: 'required', accountQuota: 5, now: () => nowMs });

test('beyond its quota an account is rejected until the minute is over', async () => {
  const [account, other] = [await signUp(service), await signUp(service)];
  for (let count = 1; count <= 5; count++) {
    expect((await account.send('GET /api/Events/1')).status).toBe(200);
  }
  nowMs += 15_500;
  const { status, headers, json } = await account.send('POST /graphql', {
    json: { query: '{ __typename }' },
  });
  expect(status).toBe(429);
  expect(headers['retry-after']).toBe('45');
  expect(json).toMatchObject({ status: 429, error: 'Too Many Requests', retryAfter: 45 });
  expect((await other.send('GET /api/Events/1')).status).toBe(200);
  nowMs += 44_500;
  expect((await account.send('GET /api/Events/1')).status).toBe(200);
});

test('many concurrent requests get no more than the quota', async () => {
  const account = await signUp(service);
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => account.send('GET /api/Events/1')),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(25);
});

test('routes that need no key, and the account itself, do not count against the quota', async () => {
  const account = await signUp(service);
  for (let count = 1; count <= 10; count++) {
    expect((await account.send('GET /api/methods/get')).status).toBe(200);
    expect((await account.send('GET /api/accounts/me')).status).toBe(200);
    expect((await account.send('GET /api/nothing')).status).toBe(404);
  }
  expect((await account.send('GET /api/Events/1')).status).toBe(200);
});

test('the quota belongs to the account, whatever its sandbox, its key and its clock', async () => {
  const account = await signUp(service);
  const clock = { json: { offsetSeconds: 3600 } };
  expect((await account.inSandbox('mine')('PUT /api/sandbox/clock', clock)).status).toBe(200);
  for (const name of ['mine', 'a', 'b']) await account.inSandbox(name)('GET /api/Events/1');
  const { json } = await account.send('POST /api/accounts/me/rotate');
  const headers = { 'X-Service-Key': json.key };
  expect((await service.send('GET /api/Events/1', { headers })).status).toBe(200);
  const rejected = await service.send('DELETE /api/sandbox', { headers });
  expect(rejected.status).toBe(429);
});

test('the quota is checked before a requested fault', async () => {
  const account = await signUp(service);
  const simulated = await account.send('GET /api/Events/1?error=503');
  expect(simulated.status).toBe(503);
  for (let count = 2; count <= 5; count++) await account.send('GET /api/Events/1');
  expect((await account.send('GET /api/Events/1?error=503')).status).toBe(429);
});
