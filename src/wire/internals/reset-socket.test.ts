import { expect, test } from 'vitest';
import { socketPair } from '../../../test/support/socket-pair.js';
import { resetSocket } from './reset-socket.js';

test('the client sees a reset, and no end before it', async () => {
  const { client, server } = await socketPair();
  let hasEnded = false;
  client.on('end', () => {
    hasEnded = true;
  });
  client.resume();
  resetSocket(server);
  await expect.poll(() => client.errored).toMatchObject({ code: 'ECONNRESET' });
  expect(hasEnded).toBe(false);
});
