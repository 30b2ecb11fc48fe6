import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { type Content, contentOf, passingContent, sendContent } from './content.js';

const apps: ReturnType<typeof fastify>[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

async function encodingOf(content: Content): Promise<unknown> {
  const app = fastify();
  apps.push(app);
  app.get('/', (request, reply) => sendContent(request, reply, content));
  const { headers, rawPayload } = await app.inject({
    url: '/',
    headers: { 'accept-encoding': 'gzip' },
  });
  const isWhole = rawPayload.length === content.bytes.length;
  expect(isWhole).toBe(headers['content-encoding'] === undefined);
  expect(headers.vary).toBe('Accept-Encoding');
  return headers['content-encoding'];
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

test('equal bytes have equal entity tags, whether they are kept or not', () => {
  const [kept, passing] = [contentOf(small(), 'text/plain'), passingContent(small(), 'text/plain')];
  expect(passing.hash).toBe(kept.hash);
});
