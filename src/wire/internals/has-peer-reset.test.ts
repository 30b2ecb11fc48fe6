import { expect, test } from 'vitest';
import { socketPair } from '../../../test/support/socket-pair.js';
import { hasPeerReset } from './has-peer-reset.js';

test('a reset is detected on a socket that is not read', async () => {
  const { client, server } = await socketPair();
  expect(hasPeerReset(server)).toBe(false);
  client.resetAndDestroy();
  await expect.poll(() => hasPeerReset(server)).toBe(true);
  expect(server.destroyed).toBe(false);
});

test('a stream without a system handle has no peer that could reset it', () => {
  expect(hasPeerReset({})).toBe(false);
});
