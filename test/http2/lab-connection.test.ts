import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { LabConnection, maxConnectionMs } from '../../src/areas/http2/connection/lab-connection.js';
import { socketPair } from '../support/socket-pair.js';

test('a connection ends after 60 seconds, and not before', async () => {
  const { client, server } = await socketPair();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    new LabConnection(server, async () => {});
    vi.advanceTimersByTime(maxConnectionMs - 1);
    expect(server.writableEnded).toBe(false);
    vi.advanceTimersByTime(1);
    expect(server.writableEnded).toBe(true);
    client.resume();
    await once(client, 'end');
    vi.advanceTimersByTime(1000);
    expect(server.destroyed).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
