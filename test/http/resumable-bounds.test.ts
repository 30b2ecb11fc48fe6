/** The log of resumable uploads keeps a limited number of requests. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();
const path = '/s/bounds/api/http/resumable';

test('the newest 200 requests are listed', async () => {
  const listed = async () => (await send(`GET ${path}/requests`)).json.requests;
  const ask = () => send(`DELETE ${path}/none`);
  await send(`PATCH ${path}/none`);
  for (let count = 1; count < 200; count++) await ask();
  expect((await listed()).length).toBe(200);
  expect((await listed())[0].method).toBe('PATCH');
  await ask();
  expect((await listed()).length).toBe(200);
  expect((await listed())[0].method).toBe('DELETE');
});
