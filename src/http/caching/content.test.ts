import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { BodiesInFlight } from '#wire/budgets/bodies-in-flight.js';
import { DeniedHeaders } from '../denied-headers.js';
import { Reply, Request } from '../exchange.js';
import { type Content, contentOf, passingContent, sendContent } from './content.js';

const fail = (error: unknown) => {
  throw error;
};
const exchanges = {
  bodies: new BodiesInFlight(1e9),
  deniedHeaders: new DeniedHeaders(),
  sandboxOf: fail,
  baseUrlOf: fail,
  showPath: fail,
  fail,
};

async function encodingOf(content: Content): Promise<unknown> {
  const server = createServer((raw, response) => {
    const request = new Request(raw, 'id', {}, undefined, exchanges);
    const reply = new Reply(response, request);
    void sendContent(request, reply, content);
  }).listen(0);
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://localhost:${port}`, {
    headers: { 'accept-encoding': 'gzip' },
  });
  const { headers } = response;
  expect((await response.arrayBuffer()).byteLength).toBe(content.bytes.length);
  expect(headers.get('vary')).toBe('Accept-Encoding');
  server.close();
  return headers.get('content-encoding') ?? undefined;
}

const small = () => Buffer.alloc(100_000, 'a');
const large = () => Buffer.alloc(7 * 1024 * 1024, 'a');

test.each([
  ['a small text for one client', passingContent(small(), 'text/plain'), 'gzip'],
  [
    'a text for one client that is larger than may wait',
    passingContent(large(), 'text/plain'),
    undefined,
  ],
  ['a text of any size that is kept', contentOf(large(), 'text/plain'), 'gzip'],
])('%s is compressed or not', async (_name, content, encoding) => {
  expect(await encodingOf(content)).toBe(encoding);
});

test('equal bytes have equal entity tags, kept or not', () => {
  const [kept, passing] = [contentOf(small(), 'text/plain'), passingContent(small(), 'text/plain')];
  expect(passing.hash).toBe(kept.hash);
});
