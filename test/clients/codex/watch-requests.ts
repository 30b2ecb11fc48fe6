/** A forward proxy that sends requests to one server only, and records all. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WatchedRequests {
  readonly url: string;
  /** Requests to the server: method, path and body. */
  readonly sent: readonly { readonly target: string; readonly body: string }[];
  /** Hosts of all other requests, which failed. */
  readonly others: readonly string[];
  readonly close: () => void;
}

export async function watchRequests(origin: string): Promise<WatchedRequests> {
  const sent: { target: string; body: string }[] = [];
  const others: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '', origin);
    if (url.origin === origin) void forward(incoming, outgoing, url);
    else {
      others.push(url.host);
      outgoing.writeHead(502).end();
    }
  });
  async function forward(incoming: IncomingMessage, outgoing: ServerResponse, url: URL) {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    sent.push({ target: `${incoming.method} ${url.pathname}`, body: body.toString() });
    const { method, headers } = incoming;
    const passed = request(url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    passed.end(body);
  }
  server.on('connect', ({ url = '' }, socket) => {
    others.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, sent, others, close: () => server.close() };
}
