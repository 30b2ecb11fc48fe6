import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Request } from '#http/exchange.js';
import { bodyPieces } from './body-pieces.js';

/** Returns a request whose client has sent `text` and left, after all events of its end. */
async function leftRequest(text: string): Promise<IncomingMessage> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  const [message] = (await once(server, 'request')) as [IncomingMessage];
  message.on('error', () => {});
  const closed = new Promise((resolve) => message.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
  server.close();
  return message;
}

const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n';

test.each([head, `${head}a`, `${head}abc`])(
  'a client that left before is not waited for: %j',
  async (text) => {
    const raw = Object.assign(await leftRequest(text), { announcesBody: true });
    let reserved = 0;
    const bodies = {
      reserve(bytes: number) {
        reserved += bytes;
        return true;
      },
      release(bytes: number) {
        reserved -= bytes;
      },
      watch() {},
      arrived() {},
    };
    const request = { raw, exchanges: { bodies } } as unknown as Request;
    const pieces = [];
    for await (const piece of bodyPieces(request, 10)) pieces.push(piece);
    expect(reserved).toBe(0);
  },
);
