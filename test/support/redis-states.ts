/** States on a server for the test, each with separate keys. */

import { pino } from 'pino';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openRedisState, type RedisStateOptions } from '../../src/state/redis/redis-state.js';
import type { State } from '../../src/state/state.js';
import { newPrefix, type RedisOptions, type RedisServer, serverAt, startRedis } from './redis.js';

type StateOptions = Partial<RedisStateOptions> & Pick<RedisStateOptions, 'clock'>;

/** Starts a server for the tests of the file, and closes the states that each test opens. */
export function useRedisStates(options: RedisOptions = {}) {
  let server: RedisServer | undefined;
  const opened: State[] = [];

  beforeAll(async () => {
    server = await startRedis(options);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((state) => state.close()));
  });
  afterAll(() => server?.close());

  function running(): RedisServer {
    if (server === undefined) throw new Error('The server runs only while tests do.');
    return server;
  }

  return {
    get server() {
      return running();
    },
    /** Without a prefix, and empty. */
    async open(options: StateOptions): Promise<State> {
      const { port } = running();
      const address = serverAt(port);
      const log = pino({ level: 'silent' });
      const state = await openRedisState(
        { address, prefix: newPrefix(), log, ...options },
        new AbortController().signal,
      );
      opened.push(state);
      return state;
    },
  };
}
