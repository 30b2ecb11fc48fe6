/** The WebSockets of a test file, each of which is closed when its test is over. */

import { afterEach } from 'vitest';
import { openWebSocket, type RawWebSocket } from './raw-web-socket.js';

interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
  readonly json: any;
}

export interface WebSocketsOfTest {
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<RawWebSocket>;
  /** The response to a handshake that is rejected. */
  rejection(path: string, headers?: Readonly<Record<string, string>>): Promise<Rejection>;
}

export function useWebSockets(service: { readonly url: string }): WebSocketsOfTest {
  const opened: RawWebSocket[] = [];
  afterEach(() => {
    for (const { connection } of opened.splice(0)) connection.socket.destroy();
  });

  async function open(path: string, headers = {}): Promise<RawWebSocket> {
    const socket = await openWebSocket(service.url, path, headers);
    opened.push(socket);
    return socket;
  }

  return {
    open,
    async rejection(path, headers) {
      const { status, headers: received, connection } = await open(path, headers);
      const start = connection.received().indexOf('\r\n\r\n') + 4;
      await connection.until(start + Number(received['content-length']));
      const json = JSON.parse(connection.received().toString('utf8', start));
      return { status, headers: received, json };
    },
  };
}
