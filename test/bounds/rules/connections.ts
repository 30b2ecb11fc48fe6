/** Limits of bytes and connections. */

import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import { DivertedResponse } from '../../../src/faults/wire/divert-response.js';
import { passingContent, sendContent } from '../../../src/http/caching/content.js';
import { DeniedHeaders } from '../../../src/http/denied-headers.js';
import { Reply, Request } from '../../../src/http/exchange.js';
import { HeldRequests } from '../../../src/http/held-requests.js';
import { BodiesInFlight } from '../../../src/wire/budgets/bodies-in-flight.js';
import { openConnection } from '../../support/raw-connection.js';
import type { TestService } from '../../support/service.js';
import type { Rule } from './rule.js';

const mebibyte = 1024 * 1024;

const never = () => {
  throw new Error('Not for this test');
};
const exchanges = {
  bodies: new BodiesInFlight(1e9),
  deniedHeaders: new DeniedHeaders(),
  sandboxOf: never,
  baseUrlOf: never,
  showPath: never,
  fail: never,
};

/** Returns the coding of a content of this size that is not kept. */
async function codingOf(bytes: number): Promise<string | null> {
  const server = createServer((raw, response) => {
    const request = new Request(raw, 'id', {}, undefined, exchanges);
    void sendContent(
      request,
      new Reply(response, request),
      passingContent(Buffer.alloc(bytes), 'text/plain'),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`, {
    headers: { 'accept-encoding': 'gzip' },
  });
  await response.arrayBuffer();
  server.close();
  return response.headers.get('content-encoding');
}

/** Sends a request whose target, names and values have this size, as Node counts a head, and returns the status. */
async function statusOfHead({ url }: TestService, bytes: number): Promise<number> {
  const connection = openConnection(url);
  const rest = ['/health', 'Host', 'a', 'Connection', 'close', 'X-A'].join('').length;
  const value = 'x'.repeat(bytes - rest);
  connection.send(`GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: ${value}\r\n\r\n`);
  await connection.ended;
  return Number(connection.received().toString('latin1', 9, 12));
}

/** Sends a body that is too large, and returns whether all of it was read: the next request gets a response. */
async function isDrained({ url }: TestService, bytes: number): Promise<boolean> {
  const connection = openConnection(url);
  connection.send(
    `POST /api/Books HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => {
    connection.socket.once('close', () => resolve());
    connection.socket.write(Buffer.alloc(bytes), () => resolve());
  });
  if (connection.socket.destroyed) return false;
  connection.send('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await connection.ended;
  return /\r\n\r\n.*HTTP\/1\.1 200/s.test(connection.received().toString('latin1'));
}

/** Opens streams that last, and returns whether all of them arrive: beyond the limit, the client keeps them. */
async function beginsStreams({ url }: TestService, count: number): Promise<boolean> {
  const held = vi.spyOn(HeldRequests.prototype, 'holdUntilClosed');
  const session = connect(url);
  const ping = () => new Promise((resolve) => session.ping((...given) => resolve(given)));
  try {
    await once(session, 'remoteSettings');
    const headers = { ':path': '/httpbin/delay/10', ':method': 'GET' };
    for (let number = 0; number < count; number++) session.request(headers).on('error', () => {});
    await expect.poll(() => held.mock.calls.length).toBeGreaterThanOrEqual(100);
    await ping();
    return held.mock.calls.length === count;
  } finally {
    session.destroy();
    held.mockRestore();
  }
}

export const connectionRules: readonly Rule[] = [
  {
    limit: 'faults/wire/divert-response.ts#maxWaitingBytes',
    // With 64 KiB, the writer waits.
    value: 65_535,
    accepts(size) {
      const response = new ServerResponse({ method: 'GET' } as never);
      new DivertedResponse(response);
      return response.write(Buffer.alloc(size));
    },
  },
  {
    limit: 'http/caching/content.ts#maxWaitingBytes',
    value: 6 * mebibyte,
    accepts: async (size) => (await codingOf(size)) === 'gzip',
  },
  {
    limit: 'http/body/request-body.ts#maxDrainedBytes',
    value: 64 * mebibyte,
    accepts: (size, service) => isDrained(service, size),
  },
  {
    limit: 'wire/connections.ts#maxHeaderBytes',
    // A head must have less than 16 KiB.
    value: 16_383,
    accepts: async (size, service) => (await statusOfHead(service, size)) === 200,
  },
  {
    limit: 'wire/http2/http2-sessions.ts#maxStreams',
    value: 100,
    accepts: (size, service) => beginsStreams(service, size),
  },
];
