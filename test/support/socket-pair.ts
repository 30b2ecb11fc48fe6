/** Both ends of a TCP connection, which end with the test. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export async function socketPair(): Promise<{ readonly client: Socket; readonly server: Socket }> {
  const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  const connected = once(client, 'connect');
  const [server] = (await once(listener, 'connection')) as [Socket];
  await connected;
  server.on('error', () => {});
  onTestFinished(() => {
    client.destroy();
    server.destroy();
    listener.close();
  });
  return { client, server };
}
