/** The last expectation of a sandbox, which the state stores: also behind replicas. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

const path = '/api/http/expect';

test.each([
  ['continue', 200],
  ['late', 206],
  ['final', 299],
  ['silent', 204],
])('%s is recorded for its sandbox only', async (behaviour, status) => {
  const sandbox = `last-${behaviour}`;
  const target = `POST /s/${sandbox}${path}/${behaviour}?status=${status}&delay=0.05`;
  const { status: sent } = await send(target, { body: 'hello' });
  expect(sent).toBe(status);
  const { json } = await send(`GET /s/${sandbox}${path}/last`);
  expect(json).toMatchObject({ behaviour, status, client: 'did-not-expect' });
  expect((await send(`GET /s/${sandbox}-other${path}/last`)).status).toBe(404);
  await send(`POST /s/${sandbox}${path}/continue?status=201&delay=0`, { body: 'x' });
  expect(
    (await send(`GET ${path}/last`, { headers: { 'X-Sandbox': sandbox } })).json,
  ).toMatchObject({ behaviour: 'continue', status: 201, bodyBytes: 1 });
});

test('it is deleted with its sandbox', async () => {
  await send(`POST /s/last-ended${path}/final?status=200`);
  expect((await send(`GET /s/last-ended${path}/last`)).status).toBe(200);
  await send('DELETE /s/last-ended/api/sandbox');
  expect((await send(`GET /s/last-ended${path}/last`)).status).toBe(404);
});
