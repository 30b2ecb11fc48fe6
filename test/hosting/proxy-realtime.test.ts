/** Sockets, events and subscriptions through the deployed proxy, by the URL of a sandbox. */

import { EventSource } from 'eventsource';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect } from 'vitest';
import { WebSocket } from 'ws';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { type RunningProxy, startProxy } from '../support/proxy.js';
import { send } from '../support/service.js';

const { isInstalled, test } = testsWith('haproxy');

let service: Service;
let proxy: RunningProxy;
beforeAll(async () => {
  if (!isInstalled) return;
  service = await createService({ trustProxy: ['127.0.0.1'] });
  proxy = await startProxy([service.url]);
});
afterAll(async () => {
  await proxy?.stop();
  await service?.close();
});

const sandbox = '/s/proxied';
const socketUrl = (path: string) => `${proxy.url.replace('http', 'ws')}${sandbox}${path}`;

interface Conversation {
  readonly texts: readonly string[];
  readonly extensions: string;
  readonly protocol: string;
  readonly code: number;
  readonly reason: string;
}

/**
 * Sends a text once the socket is open, and closes when the expected number of messages has
 * arrived.
 */
function converse(path: string, text: string, count: number, protocols: string[] = []) {
  return new Promise<Conversation>((resolve, reject) => {
    const socket = new WebSocket(socketUrl(path), protocols);
    const texts: string[] = [];
    socket.on('open', () => socket.send(text));
    socket.on('message', (data) => {
      texts.push(String(data));
      if (texts.length === count) socket.close(4000, 'enough');
    });
    socket.on('error', reject);
    socket.on('close', (code, reason) => {
      const { extensions, protocol } = socket;
      resolve({ texts, extensions, protocol, code, reason: String(reason) });
    });
  });
}

test('a message is echoed complete and compressed, and so is the close code', async () => {
  const text = 'through the proxy '.repeat(20_000);
  expect(await converse('/api/ws/echo', text, 1)).toMatchObject({
    texts: [text],
    extensions: 'permessage-deflate',
    code: 4000,
    reason: 'enough',
  });
  const chosen = await converse('/api/ws/protocols', 'hello', 1, ['none', 'chat.v2']);
  expect(chosen.protocol).toBe('chat.v2');
});

test('the server closes with its own reason', async () => {
  expect(await converse('/api/ws/close?code=4321&reason=bye&after=0', '', 9)).toMatchObject({
    code: 4321,
    reason: 'bye',
  });
});

test('a rejected handshake says why', async () => {
  const { status, json } = await send(proxy.url, `GET ${sandbox}/api/ws/echo`);
  expect([status, json.message]).toEqual([
    426,
    expect.stringContaining('This is a WebSocket endpoint'),
  ]);
});

test("all clients in a room of the sandbox receive each other's messages", async () => {
  const joined = await converse('/api/ws/room/all?from=one', 'hello', 2);
  expect(joined.texts.map((text) => JSON.parse(text))).toMatchObject([
    { type: 'join', from: 'one' },
    { type: 'message', from: 'one', text: 'hello' },
  ]);
});

test('changes arrive as they happen, and a client resumes by id', async () => {
  const source = new EventSource(`${proxy.url}${sandbox}/api/sse/changes?collection=books`);
  await new Promise((resolve) => source.addEventListener('open', resolve));
  const event = new Promise<MessageEvent>((resolve) => source.addEventListener('deleted', resolve));
  await send(proxy.url, `DELETE ${sandbox}/api/Books/3`);
  expect(JSON.parse((await event).data)).toMatchObject({ collection: 'books', id: 3 });
  source.close();

  // Each connection ends after two events, and EventSource requests the rest.
  const path = '/api/sse/clock?count=5&interval=0&dropAfter=2&retry=1';
  const clock = new EventSource(`${proxy.url}${sandbox}${path}`);
  const ids = await new Promise<string[]>((resolve) => {
    const seen: string[] = [];
    clock.addEventListener('message', ({ lastEventId }) => {
      if (seen.push(lastEventId) === 5) resolve(seen);
    });
  });
  clock.close();
  expect(ids).toEqual(['1', '2', '3', '4', '5']);
});

test('a subscription receives a write of the sandbox', async () => {
  const client = createClient({ url: socketUrl('/graphql'), webSocketImpl: WebSocket });
  const changes = client.iterate({ query: 'subscription { todoChanged { kind todo { id } } }' });
  const first = changes.next();
  // Changes before the subscription begins are lost.
  let isHeard = false;
  first.then(() => {
    isHeard = true;
  });
  await expect
    .poll(
      async () => {
        const title = { title: `seen ${Date.now()}` };
        await send(proxy.url, `PATCH ${sandbox}/api/Todos/2`, {
          headers: { 'content-type': 'application/merge-patch+json' },
          body: JSON.stringify(title),
        });
        return isHeard;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  expect((await first).value.data).toEqual({ todoChanged: { kind: 'UPDATED', todo: { id: 2 } } });
  await client.dispose();
});

test('a stop closes sockets with 1001', async () => {
  const socket = new WebSocket(socketUrl('/api/ws/echo'));
  await new Promise((resolve) => socket.on('open', resolve));
  const closed = new Promise((resolve) =>
    socket.on('close', (code, reason) => resolve([code, String(reason)])),
  );
  await service.close();
  expect(await closed).toEqual([1001, 'The service is stopping. Connect again in a moment.']);
});
