/** A minimal HTTP client on one connection, so that tens of thousands of requests take seconds. */

import { connect, type Socket } from 'node:net';

export interface BareRequest {
  readonly method: string;
  readonly path: string;
  /** In order, repeated or not; written as Latin-1, so that any byte can be sent. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export interface BareResponse {
  readonly status: number;
  readonly body: string;
  /** From the first byte sent to the last received. */
  readonly durationMs: number;
}

export interface KeepAliveClient {
  /** Sends one request at a time; rejects when the connection ends instead of a response. */
  readonly send: (request: BareRequest) => Promise<BareResponse>;
  readonly close: () => void;
}

export async function keepAliveClient(baseUrl: string): Promise<KeepAliveClient> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = await open(hostname, Number(port));
  let received = '';
  let waiting: { check: () => void; fail: (error: Error) => void } | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    received += chunk;
    waiting?.check();
  });
  socket.on('close', () => waiting?.fail(new Error(`The connection ended after: ${received}`)));
  socket.on('error', (error) => waiting?.fail(error));

  return {
    send({ method, path, headers, body }) {
      const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
      for (const [name, value] of headers) lines.push(`${name}: ${value}`);
      lines.push(`Content-Length: ${Buffer.byteLength(body, 'latin1')}`, '', body);
      const startedAt = performance.now();
      socket.write(lines.join('\r\n'), 'latin1');
      return new Promise((resolve, reject) => {
        waiting = {
          check() {
            const response = takeResponse();
            if (response === undefined) return;
            waiting = undefined;
            resolve({ ...response, durationMs: performance.now() - startedAt });
          },
          fail: reject,
        };
      });
    },
    close: () => socket.destroy(),
  };

  /** Removes one complete response from the received bytes: its body has a length or chunks. */
  function takeResponse(): { status: number; body: string } | undefined {
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const head = received.slice(0, headEnd);
    const status = Number(head.slice(9, 12));
    if (/\r\ntransfer-encoding: chunked/i.test(head)) {
      const chunked = joinChunks(received, headEnd + 4);
      if (chunked === undefined) return undefined;
      received = received.slice(chunked.end);
      return { status, body: chunked.body };
    }
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (received.length < end) return undefined;
    const body = received.slice(headEnd + 4, end);
    received = received.slice(end);
    return { status, body };
  }
}

/** The chunked body that begins at `start`, without trailers; `undefined` until it is complete. */
function joinChunks(received: string, start: number): { body: string; end: number } | undefined {
  let body = '';
  let position = start;
  for (;;) {
    const lineEnd = received.indexOf('\r\n', position);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(received.slice(position, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (received.length < end) return undefined;
    if (size === 0) return { body, end };
    body += received.slice(lineEnd + 2, lineEnd + 2 + size);
    position = end;
  }
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}
