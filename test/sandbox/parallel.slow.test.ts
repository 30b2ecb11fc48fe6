import { expect, test } from 'vitest';
import { type KeepAliveClient, keepAliveClient } from '../support/keep-alive-client.js';
import { useService } from '../support/service.js';

const service = useService();
const clients = 100;
const runs = 3;

test(`${clients} clients in separate sandboxes write ${runs} times each and see only their own data`, {
  timeout: 180_000,
}, async () => {
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const client = await keepAliveClient(service.url);
      for (let run = 0; run < runs; run++) await writeALot(client, `client-${index}`, run);
      client.close();
    }),
  );
});

/** Every run begins with the pristine data, so each knows the expected result. */
async function writeALot(client: KeepAliveClient, sandbox: string, run: number): Promise<void> {
  const mark = `${sandbox} run ${run}`;
  async function send(method: string, path: string, json?: unknown) {
    const headers = [
      ['X-Sandbox', sandbox],
      ['X-Client-Id', 'same for all'],
      ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ] as const;
    const body = json === undefined ? '' : JSON.stringify(json);
    const response = await client.send({ method, path, headers, body });
    return {
      status: response.status,
      json: response.body === '' ? undefined : JSON.parse(response.body),
    };
  }
  const graphql = async (query: string) => (await send('POST', '/graphql', { query })).json.data;

  const created = await graphql(
    `mutation { createUser(name: "${mark}", job: "J", city: "C") { id } deleteTodo(id: ${run + 1}) }`,
  );
  expect(created).toEqual({ createUser: { id: 11 }, deleteTodo: true });
  const event = { name: mark, startsAt: '2030-05-01T18:00:00Z', endsAt: '2030-05-01T18:00:00Z' };
  expect(await send('POST', '/api/Events', event)).toMatchObject({ status: 201, json: { id: 31 } });
  expect((await send('PATCH', '/api/Books/1', { title: mark })).status).toBe(200);
  expect((await send('DELETE', '/api/Books/2')).status).toBe(204);
  expect((await send('GET', '/api/RateLimit')).json.used).toBe(1);
  const bin = (await send('POST', '/api/webhooks/bins', { name: mark })).json;
  expect((await send('POST', `/api/webhooks/${bin.id}`, { mark })).status).toBe(200);

  const seen = await graphql(
    '{ user(id: 11) { name } users { id } todos { id } event: events { id name } book(id: 1) { title } gone: book(id: 2) { id } }',
  );
  expect(seen).toMatchObject({ user: { name: mark }, book: { title: mark }, gone: null });
  expect(seen.users).toHaveLength(11);
  expect(seen.todos).toHaveLength(199);
  expect(seen.event.at(-1)).toEqual({ id: 31, name: mark });
  const bins = (await send('GET', '/api/webhooks/bins')).json;
  expect(bins).toHaveLength(1);
  const [captured] = (await send('GET', `/api/webhooks/bins/${bin.id}/requests`)).json;
  expect(JSON.parse(captured.body)).toEqual({ mark });
  expect((await send('DELETE', '/api/sandbox')).status).toBe(204);
}
