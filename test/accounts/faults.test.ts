/** Fault plans and temporary failures, where accounts are required. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';

const service = useService({ accounts: 'required', signUpsPerHour: 1000 });

const json = { rules: [{ sequence: [{ status: 502 }], then: 'last' }] };

test('an account plans faults in its default sandbox', async () => {
  const [mine, other] = [await signUp(service), await signUp(service)];
  expect((await mine.send('PUT /api/sandbox/faults', { json })).status).toBe(200);
  expect((await mine.send('GET /api/Books/1')).status).toBe(502);
  expect((await mine.inSandbox('named')('GET /api/Books/1')).status).toBe(200);
  expect((await other.send('GET /api/Books/1')).status).toBe(200);
  expect((await mine.send('GET /api/sandbox/faults/log')).json.attempts).toHaveLength(1);
});

test('a client without a key can neither plan faults nor meet any', async () => {
  const mine = await signUp(service);
  await mine.inSandbox('open')('PUT /api/sandbox/faults', { json });
  const headers = { 'X-Sandbox': 'open' };
  expect((await service.send('PUT /api/sandbox/faults', { headers, json })).status).toBe(401);
  expect((await service.send('GET /api/sandbox/faults/log', { headers })).status).toBe(401);
  const response = await service.send('GET /api/Books/1', { headers });
  expect(response.status).toBe(401);
  expect(response.headers).not.toHaveProperty('x-fault');
  expect((await service.send('GET /api/methods/get', { headers })).status).toBe(200);
  expect((await mine.inSandbox('open')('GET /api/sandbox/faults/log')).json.attempts).toEqual([]);
});

test('temporary failures of clients without a key are counted by IP address', async () => {
  const target = `GET /api/methods/get?error=503&times=1&key=${randomUUID()}`;
  expect((await service.send(target)).status).toBe(503);
  expect((await service.send(target)).status).toBe(200);
});
