/** Counts how often a request waits for Redis. */

import { countRoundTrips, relayTo } from '../../harness/count-round-trips.js';
import { startService } from '../../harness/start-program.js';
import { startRedis } from '../../harness/start-redis.js';

export const about = 'round trips to Redis, the least of seven equal requests';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const redis = await startRedis();
  const relay = await relayTo(redis.url);
  const service = await startService(['--state-url', relay.url]);
  try {
    const counted = await countRoundTrips(service.url, relay.trips);
    return counted.map(({ name, trips, most }) => [name, `${trips} (at most ${most})`]);
  } finally {
    await service.stop();
    await relay.close();
    await redis.stop();
  }
}
