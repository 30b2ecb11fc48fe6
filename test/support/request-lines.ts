/** A relay of connections to a service that lists the requests that pass, as a proxy sends them. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly url: string;
  /** Method and target of each request so far. */
  readonly requests: () => string[];
  readonly stop: () => Promise<void>;
}

export async function startRelay(backend: string): Promise<Relay> {
  const { hostname, port } = new URL(backend);
  const sockets = new Set<Socket>();
  let sent = '';
  const server = createServer((client) => {
    const service = connect({ host: hostname, port: Number(port) });
    client.on('data', (bytes) => {
      sent += bytes.toString('latin1');
    });
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () =>
      [...sent.matchAll(/^([A-Z]+ \S+) HTTP\/1\.[01]\r$/gm)].map(([, line = '']) => line),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
