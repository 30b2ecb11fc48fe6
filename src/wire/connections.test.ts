import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { wireServiceOf } from '../../test/support/wire-service.js';
import { type Listener, type ListenOptions, listen } from './servers/listen.js';
import type { RequestListener } from './wire-service.js';

const maxConnections = 6;
const [heavy, other, third] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;

const listeners: Listener[] = [];
const clients: Client[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  for (const listener of listeners.splice(0)) {
    listener.closeNow();
    await listener.close();
  }
});

interface Client {
  readonly socket: Socket;
  /** Resolves with the response, or with an empty text if the connection is closed. */
  send(path: string): Promise<string>;
}

async function serve(
  handle: RequestListener = (_request, response) => void response.end('ok'),
  isTrusted?: (address: string) => boolean,
  options?: Partial<ListenOptions>,
): Promise<Listener> {
  const limits = { maxConnections, isTrusted };
  const service = wireServiceOf(handle);
  const listener = await listen({ host: '127.0.0.1', port: 0, service, limits, ...options });
  listeners.push(listener);
  return listener;
}

async function open(
  listener: Listener,
  localAddress: string,
  port = listener.port,
): Promise<Client> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.on('error', () => {});
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  const client = {
    socket,
    async send(path: string) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      const ended = once(socket, 'close').then(() => ['']);
      const [text] = await Promise.race([once(socket, 'data'), ended]);
      return String(text);
    },
  };
  clients.push(client);
  return client;
}

/** Opens connections of an address, each of which has been served. */
async function openServed(listener: Listener, address: string, count: number): Promise<Client[]> {
  const opened = [];
  for (let each = 0; each < count; each++) {
    const client = await open(listener, address);
    expect(await client.send('/')).toContain('200 OK');
    opened.push(client);
  }
  return opened;
}

describe('when the limit of connections is reached', () => {
  test('by one address, another address is served, and one connection of the first is closed', async () => {
    const listener = await serve();
    const taken = await openServed(listener, heavy, maxConnections);
    const closed = once((taken[0] as Client).socket, 'close');
    await openServed(listener, other, 1);
    await closed;
    for (const { send } of taken.slice(1)) expect(await send('/')).toContain('200 OK');
    expect(listener.connections()).toBe(maxConnections);
  });

  test('an address with the most connections gets no more', async () => {
    const listener = await serve();
    const taken = await openServed(listener, heavy, maxConnections);
    const more = await open(listener, heavy);
    expect(await more.send('/')).toBe('');
    for (const { send } of taken) expect(await send('/')).toContain('200 OK');
  });

  test('all requesting addresses have equal shares in the end', async () => {
    const listener = await serve();
    await openServed(listener, heavy, maxConnections);
    await openServed(listener, other, 3);
    expect(await (await open(listener, other)).send('/')).toBe('');
    await openServed(listener, third, 2);
    expect(await (await open(listener, third)).send('/')).toBe('');
  });

  test('an idle connection is closed before a connection that waits for its response', async () => {
    const listener = await serve((request, response) => {
      if (request.url !== '/held') response.end('ok');
    });
    const [busy, idle] = await openServed(listener, heavy, maxConnections);
    void busy?.send('/held');
    // A response to a later request proves that the server has read this one.
    expect(await idle?.send('/')).toContain('200 OK');
    const closed = once(idle?.socket as Socket, 'close');
    await openServed(listener, other, 1);
    await closed;
    expect(busy?.socket.destroyed).toBe(false);
  });

  test('a trusted proxy may use all connections, and displaces a connection of the address with most', async () => {
    const listener = await serve(undefined, (address) => address === heavy);
    const ofProxy = await openServed(listener, heavy, maxConnections - 2);
    await openServed(listener, other, 2);
    await openServed(listener, heavy, 1);
    for (const { send } of ofProxy) expect(await send('/')).toContain('200 OK');
    expect(await (await open(listener, third)).send('/')).toBe('');
  });
});

const noTls = { port: 0, options: () => Promise.reject(new Error('There is no certificate.')) };

test.each<[string, Partial<ListenOptions>, (listener: Listener) => number]>([
  ['before their TLS handshake', { tlsPorts: [noTls] }, ({ tlsPorts }) => tlsPorts[0] ?? 0],
  ['before their protocol is known', { h2c: true }, ({ port }) => port],
])(
  'silent connections are shared between addresses as well, %s',
  async (_when, options, portOf) => {
    const listener = await serve(undefined, undefined, options);
    const port = portOf(listener);
    const silent = [];
    for (let each = 0; each < maxConnections; each++) {
      silent.push(await open(listener, heavy, port));
    }
    const closed = once((silent[0] as Client).socket, 'close');
    const client = await open(listener, other, port);
    await closed;
    expect(client.socket.destroyed).toBe(false);
    expect(silent.filter(({ socket }) => socket.destroyed)).toHaveLength(1);
  },
);
