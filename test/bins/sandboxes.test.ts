import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const bins = '/api/webhooks/bins';
const inSandbox = (name: string) => ({ headers: { 'X-Sandbox': name } });

async function makeBinIn(name: string) {
  return (await service.send(`POST ${bins}`, inSandbox(name))).json as { id: string };
}

test('a bin of a sandbox captures from senders that name no sandbox', async () => {
  const { id } = await makeBinIn('team');
  const sent = await service.send(`POST /api/webhooks/${id}`, { body: 'hook' });
  expect(sent.status).toBe(200);
  const other = await service.send(`POST /api/webhooks/${id}`, {
    ...inSandbox('other'),
    body: 'x',
  });
  expect(other.status).toBe(200);
  const { json } = await service.send(`GET ${bins}/${id}`, inSandbox('team'));
  expect(json.requests.map(({ body }: { body: string }) => body)).toEqual(['x', 'hook']);
});

test('bins are listed in their own sandbox, and other sandboxes cannot reach them', async () => {
  const { id } = await makeBinIn('mine');
  const ids = async (options = {}) =>
    (await service.send(`GET ${bins}`, options)).json.map((bin: { id: string }) => bin.id);
  expect(await ids(inSandbox('mine'))).toEqual([id]);
  expect(await ids(inSandbox('yours'))).toEqual([]);
  expect((await service.send(`GET ${bins}`)).status).toBe(403);
  for (const target of [`GET ${bins}/${id}`, `DELETE ${bins}/${id}`, `GET ${bins}/${id}/events`]) {
    expect((await service.send(target, inSandbox('yours'))).status).toBe(404);
  }
  const shared = (await service.send(`POST ${bins}`)).json;
  expect((await service.send(`GET ${bins}/${shared.id}`, inSandbox('mine'))).status).toBe(404);
});

test('a request without a sandbox reaches a bin by its id, as a browser does by inspectUrl', async () => {
  const { id } = await makeBinIn('browser');
  await service.send(`POST /api/webhooks/${id}`);
  expect((await service.send(`GET ${bins}/${id}`)).json).toMatchObject({ id, requestCount: 1 });
  expect((await service.send(`DELETE ${bins}/${id}`)).status).toBe(204);
  expect((await service.send(`GET ${bins}/${id}`, inSandbox('browser'))).status).toBe(404);
});

test('a reset of the sandbox deletes its bins, and ends waiting requests', async () => {
  const { id } = await makeBinIn('reset');
  const stream = await fetch(`${service.url}${bins}/${id}/events`);
  expect((await service.send('DELETE /api/sandbox', inSandbox('reset'))).status).toBe(204);
  expect(await stream.text()).toContain('event: deleted');
  expect((await service.send(`POST /api/webhooks/${id}`)).status).toBe(404);
});

test('captures have the time of the sandbox', async () => {
  const { id } = await makeBinIn('later');
  const day = 24 * 3600;
  const moved = { ...inSandbox('later'), json: { offsetSeconds: day } };
  expect((await service.send('PUT /api/sandbox/clock', moved)).status).toBe(200);
  await service.send(`POST /api/webhooks/${id}`);
  const [captured] = (await service.send(`GET ${bins}/${id}/requests`)).json;
  expect(Date.parse(captured.receivedAt)).toBeGreaterThan(Date.now() + (day - 60) * 1000);
});
