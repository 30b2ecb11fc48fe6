import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { hasParser, incompleteRequest, type Parse, takeOverConnections } from './http-parser.js';

interface Connection {
  readonly server: Server;
  readonly socket: Socket;
  readonly parse: Parse;
}

async function open(isUpgrade = false): Promise<Connection> {
  const server = createServer();
  const attachParser = takeOverConnections(server, () => isUpgrade);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = await once(server, 'connection');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { server, socket, parse: attachParser(socket) };
}

test('a parser gets exactly the bytes that are passed to it', async () => {
  const { server, socket, parse } = await open();
  const request = once(server, 'request');
  parse(Buffer.from('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab'));
  const [{ url }] = await request;
  expect(url).toBe('/a');
  expect(hasParser(socket)).toBe(true);
  expect(incompleteRequest(socket)?.url).toBe('/a');
  parse(Buffer.from('cd'));
  expect(incompleteRequest(socket)).toBeUndefined();
});

test.each([true, false])(
  'a request with Upgrade leaves HTTP if selected: %s',
  async (isUpgrade) => {
    const { server, parse } = await open(isUpgrade);
    const events: string[] = [];
    for (const event of ['request', 'upgrade']) {
      server.on(event, ({ url }: IncomingMessage) => void events.push(`${event} ${url}`));
    }
    parse(Buffer.from('GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'));
    await expect.poll(() => events).toEqual([isUpgrade ? 'upgrade /a' : 'request /a']);
  },
);
