import { once } from 'node:events';
import { expect, test } from 'vitest';
import { socketPair } from '../../../test/support/socket-pair.js';
import { readDirectly } from './direct-reads.js';

test('bytes go to the function without an event, and later to the event', async () => {
  const { client, server } = await socketPair();
  let received = '';
  let events = '';
  const readByEvents = readDirectly(server, (bytes) => {
    received += bytes;
  });
  server.on('data', (bytes) => {
    events += bytes;
  });
  server.resume();
  client.write('a');
  await expect.poll(() => received).toBe('a');
  expect(events).toBe('');
  readByEvents();
  client.end('b');
  await once(server, 'end');
  expect([received, events]).toEqual(['ab', 'b']);
});
