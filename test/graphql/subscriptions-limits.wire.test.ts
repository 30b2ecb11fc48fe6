/** The limits of subscriptions, who may subscribe, and how subscriptions end. */

import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { createService } from '../support/create-service.js';
import { openStream } from '../support/event-source.js';
import { openWebSocket, type RawWebSocket, text } from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const protocol = { 'Sec-WebSocket-Protocol': 'graphql-transport-ws' };
const endless = 'subscription { countdown(from: 1000, interval: 60) }';

async function open(url: string, headers: Record<string, string> = {}): Promise<RawWebSocket> {
  const socket = await openWebSocket(url, '/graphql', { ...protocol, ...headers });
  closing.push(() => socket.connection.socket.destroy());
  return socket;
}

const say = (socket: RawWebSocket, ...messages: readonly object[]) =>
  socket.send(...messages.map((message) => text(JSON.stringify(message))));
const hear = async (socket: RawWebSocket) => JSON.parse(await socket.text());

const init = (payload?: object) => ({ type: 'connection_init', payload });
const subscribe = (id: string, query: string) => ({ id, type: 'subscribe', payload: { query } });

describe('where accounts are required', () => {
  const service = useService({ accounts: 'required' });

  test.each(['X-Service-Key', 'x-service-key'])(
    'the key is sent in the payload as %s',
    async (name) => {
      const { key } = await signUp(service);
      const socket = await open(service.url);
      say(socket, init({ [name]: key }), subscribe('a', '{ user(id: 1) { id } }'));
      expect(await hear(socket)).toEqual({ type: 'connection_ack' });
      expect(await hear(socket)).toMatchObject({
        type: 'next',
        payload: { data: { user: { id: 1 } } },
      });
    },
  );

  test('or in the header', async () => {
    const { key } = await signUp(service);
    const socket = await open(service.url, { 'X-Service-Key': key });
    say(socket, init());
    expect(await hear(socket)).toEqual({ type: 'connection_ack' });
  });

  test.each([
    ['none', undefined],
    ['an invalid key', { 'X-Service-Key': 'psk_' }],
  ])('%s → 4401', async (_name, payload) => {
    const socket = await open(service.url);
    say(socket, init(payload));
    expect(await socket.closed()).toEqual([4401, expect.stringContaining('X-Service-Key')]);
  });

  test('a wrong key in the header is 401 before the upgrade, and so is an event stream without a key', async () => {
    expect((await open(service.url, { 'X-Service-Key': 'psk_' })).status).toBe(401);
    const json = { query: endless };
    const stream = await openStream(service.url, '/graphql', { json });
    expect(stream.status).toBe(401);
    expect((await service.send('PUT /graphql')).status).toBe(401);
  });

  test('an account receives only its own changes', async () => {
    const [mine, other] = [await signUp(service), await signUp(service)];
    const socket = await open(service.url, { 'X-Service-Key': mine.key });
    say(socket, init(), subscribe('a', 'subscription { userChanged { user { name } } }'), {
      type: 'ping',
    });
    expect(await hear(socket)).toEqual({ type: 'connection_ack' });
    expect(await hear(socket)).toEqual({ type: 'pong' });
    for (const [{ send }, name] of [
      [other, 'other'],
      [mine, 'mine'],
    ] as const) {
      const query = `mutation { createUser(name: "${name}", job: "j", city: "c") { id } }`;
      await send('POST /graphql', { json: { query } });
    }
    expect((await hear(socket)).payload.data.userChanged.user.name).toBe('mine');
  });
});

describe('SUBSCRIPTIONS=off', () => {
  const service = useService({ subscriptions: 'off' });

  test('the schema has no subscription root', async () => {
    expect((await service.send('GET /graphql?sdl')).text).not.toMatch(/subscription|\wChange/i);
    const query = '{ __schema { subscriptionType { name } types { name } } }';
    const { json } = await service.send('POST /graphql', { json: { query } });
    expect(json.data.__schema.subscriptionType).toBeNull();
    expect(JSON.stringify(json)).not.toContain('Change');
    const rejected = await service.send('POST /graphql', { json: { query: endless } });
    expect(rejected.status).toBe(400);
    expect(rejected.json.errors[0].message).toContain('subscriptions are not supported');
  });

  test('events, streams and sockets are rejected', async () => {
    const asked = { json: { query: '{ users { id } }' }, headers: { Accept: 'text/event-stream' } };
    expect((await service.send('POST /graphql', asked)).status).toBe(406);
    for (const method of ['PUT', 'DELETE']) {
      const { status, headers } = await service.send(`${method} /graphql`);
      expect(status).toBe(405);
      expect(headers.allow).toBe('GET, HEAD, POST');
    }
    expect((await open(service.url)).status).toBe(400);
  });
});

test('a stop ends streams after a last retry, and closes sockets with 1001', async () => {
  const service = await createService();
  const stream = await openStream(service.url, '/graphql', { json: { query: endless } });
  expect((await stream.next())?.data).toEqual({ data: { countdown: 1000 } });
  const socket = await open(service.url);
  say(socket, init(), subscribe('a', endless));
  expect(await hear(socket)).toEqual({ type: 'connection_ack' });
  expect(await hear(socket)).toMatchObject({ type: 'next' });
  const stopped = service.close();
  expect(await stream.next()).toBeUndefined();
  expect(stream.text()).toMatch(/retry: 1000\n\n$/);
  expect((await socket.closed())[0]).toBe(1001);
  socket.connection.socket.destroy();
  await stopped;
});

test('streams are accepted up to the limit, and one more when another has ended', async () => {
  const service = await createService({ heldRequests: 3 });
  closing.push(() => void service.close());
  const held = await openStream(service.url, '/graphql', { json: { query: endless } });
  expect(held.status).toBe(200);
  const beyond = await openStream(service.url, '/graphql', { json: { query: endless } });
  expect(beyond.status).toBe(503);
  expect(beyond.headers['retry-after']).toBeDefined();
  held.close();
  await expect
    .poll(async () => {
      const stream = await openStream(service.url, '/graphql', { json: { query: endless } });
      closing.push(() => stream.close());
      return stream.status;
    })
    .toBe(200);
});

describe('a client that reads nothing', () => {
  const service = useService();
  const names = Array.from({ length: 400 }, (_, n) => `a${n}: name`).join(' ');
  const query = `subscription { userChanged { user { ${names} } } }`;
  const update = async () => {
    for (let n = 10; n < 20; n++) {
      const name = `${n}${'n'.repeat(998)}`;
      const change = `mutation { updateUser(id: 1, name: "${name}", job: "j", city: "c") { id } }`;
      await service.send('POST /graphql', { json: { query: change } });
    }
  };

  test('over events delays only its own responses, which are built one at a time', async () => {
    const body = JSON.stringify({ query });
    const idle = connect(Number(new URL(service.url).port));
    closing.push(() => idle.destroy());
    idle.write(
      `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => idle.once('readable', resolve));
    await update();
    // All responses arrive once the client reads.
    let responses = 0;
    for await (const chunk of idle.setEncoding('utf8')) {
      responses += String(chunk).match(/"a399"/g)?.length ?? 0;
      // Its name may be split over two reads.
      if (responses >= 9) break;
    }
  });

  test('over WebSocket, too', async () => {
    const socket = await open(service.url);
    say(socket, init(), subscribe('a', query), subscribe('b', query), { type: 'ping' });
    expect(await hear(socket)).toEqual({ type: 'connection_ack' });
    expect(await hear(socket)).toEqual({ type: 'pong' });
    socket.connection.socket.pause();
    await update();
    socket.connection.socket.resume();
    const counts = { a: 0, b: 0 };
    while (counts.a + counts.b < 20) counts[(await hear(socket)).id as 'a' | 'b']++;
    expect(counts).toEqual({ a: 10, b: 10 });
  });
});
