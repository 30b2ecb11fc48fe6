/** The recorded requests of a pupil, which the teacher reads: no pupil erases them. */

import { expect, test } from 'vitest';
import { callTool } from '../mcp/mcp.js';
import { useService } from '../support/service.js';
import { newClass, type Pupil } from './school.js';

const service = useService();

const resets: [string, isOfData: boolean, (pupil: Pupil) => Promise<unknown>][] = [
  ['DELETE /api/sandbox', true, ({ call }) => call('DELETE /api/sandbox')],
  [
    'the tool of MCP',
    true,
    ({ address }) =>
      callTool(service, 'reset_sandbox', {}, { path: `${new URL(address).pathname}/mcp` }),
  ],
  ['DELETE /api/challenges/progress', false, ({ call }) => call('DELETE /api/challenges/progress')],
];

test.each(resets)('remain after %s of the pupil', async (_how, isOfData, reset) => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  const title = async () => (await ada.call('GET /api/Books/1')).json.title;
  const before = await title();
  await ada.call('PATCH /api/Books/1', { json: { title: 'Mine' } });
  await ada.call('GET /api/nowhere');
  const sent = ['GET /api/Books/1', 'PATCH /api/Books/1', 'GET /api/(removed)'];
  const read = async (query = '') =>
    (await teach(`GET /pupils/${ada.pupil}/requests${query}`)).json.requests.map(
      ({ method, path }: { method: string; path: string }) => `${method} ${path}`,
    );
  expect(await read()).toEqual(sent);
  await reset(ada);
  expect(await title()).toBe(isOfData ? before : 'Mine');
  expect((await read()).slice(0, 3)).toEqual(sent);
  const own = (await ada.call('GET /api/sandbox/requests')).json.requests;
  expect(own[2]).toMatchObject({ path: '/api/(removed)', status: 404 });
  // It continues, with higher ids.
  await ada.call('GET /api/Books/2');
  expect((await read(`?since=${own[2].id}`)).at(-1)).toBe('GET /api/Books/2');
  expect((await teach('GET')).json.pupils[0].failures).toBe(1);
});

test('a reset empties the rest of the sandbox', async () => {
  const { join } = await newClass(service);
  const ada = await join('Ada');
  await ada.call('DELETE /api/Books/1');
  await ada.call('PUT /api/sandbox/clock', { json: { offsetSeconds: 3600 } });
  expect((await ada.call('DELETE /api/sandbox')).status).toBe(204);
  expect((await ada.call('GET /api/Books/1')).status).toBe(200);
  expect((await ada.call('GET /api/sandbox/clock')).json.offsetSeconds).toBe(0);
});

test('the teacher erases them, by a reset of the pupil or of all', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  for (const path of [`POST /pupils/${ada.pupil}/reset`, 'POST /reset']) {
    await ada.call('GET /api/Books/1');
    expect((await teach(path)).status).toBe(204);
    expect((await teach(`GET /pupils/${ada.pupil}/requests`)).json.requests).toEqual([]);
  }
});

test('outside of a class, a reset erases the recorded requests', async () => {
  const headers = { 'X-Sandbox': 'recorded' };
  await service.send('PUT /api/sandbox/recording', { headers, json: { on: true } });
  await service.send('GET /api/Books/1', { headers });
  await service.send('DELETE /api/sandbox', { headers });
  const { json } = await service.send('GET /api/sandbox/requests', { headers });
  expect(json.recording).toBe(false);
  expect(json.requests.map(({ method }: { method: string }) => method)).toEqual(['DELETE']);
});
