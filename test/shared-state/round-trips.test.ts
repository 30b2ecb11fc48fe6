/** How often requests wait for Redis: each has a limit. `npm run bench -- round-trips` prints the table. */

import { afterAll, beforeAll, expect } from 'vitest';
import { countRoundTrips, relayTo } from '../../lab/harness/count-round-trips.js';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { type RedisServer, startRedis } from '../support/redis.js';

const { test, isInstalled } = testsWith('redis');

let redis: RedisServer;
let relay: Awaited<ReturnType<typeof relayTo>>;
let service: Service;
beforeAll(async () => {
  if (!isInstalled) return;
  redis = await startRedis();
  relay = await relayTo(redis.url);
  service = await createService({ stateUrl: relay.url });
});
afterAll(async () => {
  await service?.close();
  await relay?.close();
  await redis?.close();
});

test('no request needs more round trips than its limit', async () => {
  const counted = await countRoundTrips(service.url, relay.trips);
  expect(counted.filter(({ trips, most }) => trips > most)).toEqual([]);
  // A relay that counts nothing would pass.
  expect(counted.every(({ trips }) => trips > 0)).toBe(true);
});
