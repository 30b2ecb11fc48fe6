/** Classes where accounts are required. */

import { expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';
import { newClass, solve } from './school.js';

const quota = 12;
const service = useService({ accounts: 'required', signUpsPerHour: 1000, accountQuota: quota });

test('only an account creates a class; pupils and the board need none', async () => {
  const without = await service.send('POST /api/classes', { json: { name: 'Monday' } });
  expect(without.status).toBe(401);
  expect(without.headers['www-authenticate']).toBe('ServiceKey realm="Practice API"');
  const { key } = await signUp(service);
  const { join, teach } = await newClass(service, { 'X-Service-Key': key });
  const ada = await join('Ada');
  await solve(ada);
  expect((await teach('GET')).json.pupils[0]).toMatchObject({
    solved: [{ id: 'http-head' }],
    requests: 1,
  });
  expect((await ada.call('GET /api/classes/me')).json.points).toBe(10);
});

test('a new class counts for the quota of the account', async () => {
  const { key } = await signUp(service);
  const create = () =>
    service.send('POST /api/classes', {
      json: { name: 'Many' },
      headers: { 'X-Service-Key': key },
    });
  for (let sent = 0; sent < quota; sent++) expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(429);
});

test('each pupil has their own quota', async () => {
  const { key } = await signUp(service);
  const { join } = await newClass(service, { 'X-Service-Key': key });
  const [ada, ben] = [await join('Ada'), await join('Ben')];
  for (let sent = 0; sent < quota; sent++) {
    expect((await ada.call('GET /api/Books/1')).status).toBe(200);
  }
  expect((await ada.call('GET /api/Books/1')).status).toBe(429);
  expect((await ben.call('GET /api/Books/1')).status).toBe(200);
});

test('an account does not lose its sandboxes to its class, and X-Service-Key is not needed', async () => {
  const { key } = await signUp(service);
  const headers = { 'X-Service-Key': key };
  await service.send('DELETE /api/Books/1', { headers: { ...headers, 'X-Sandbox': 'mine' } });
  const { join } = await newClass(service, headers);
  for (let number = 0; number < 25; number++) {
    const pupil = await join(`Pupil ${number}`);
    await pupil.call('DELETE /api/Books/2');
    expect((await pupil.call('GET /api/Books/2')).status).toBe(404);
  }
  const { status } = await service.send('GET /api/Books/1', {
    headers: { ...headers, 'X-Sandbox': 'mine' },
  });
  expect(status).toBe(404);
});
