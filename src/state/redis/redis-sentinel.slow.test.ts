/** Tests that the state uses the server that sentinels name, and fails over with it. */

import { pino } from 'pino';
import { expect } from 'vitest';
import { testsWith } from '../../../test/support/foreign-program.js';
import { newPrefix } from '../../../test/support/redis.js';
import { ask } from '../../../test/support/redis-cluster.js';
import { startWatchedRedis } from '../../../test/support/redis-sentinel.js';
import { type Space, StateUnavailableError } from '../state.js';
import { openRedisState } from './redis-state.js';

const counters: Space<number> = { name: 'counters', maxKeys: 100 };

testsWith('redis').test(
  'a server that dies is replaced by its replica, with all it had',
  async () => {
    const watched = await startWatchedRedis();
    const { master, replica, address } = watched;
    const lines: { readonly msg: string }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const options = { address, prefix: newPrefix(), clock: Date.now, log };
    const state = await openRedisState(options, new AbortController().signal);
    try {
      const sandbox = state.sandbox('s');
      const count = () =>
        sandbox.update(counters, 'a', (now = 0) => ({ value: now + 1, result: now + 1 }));
      for (const expected of [1, 2, 3]) expect(await count()).toBe(expected);
      expect(await ask(master, ['WAIT', '1', '10000'])).toBe(1);
      await master.stop('SIGKILL');
      await expect(count()).rejects.toThrow(StateUnavailableError);
      await expect.poll(() => state.isReady()).toBe(true);
      expect(await count()).toBe(4);
      expect(String(await ask(replica, ['ROLE']))).toContain('master');
      await expect
        .poll(() => lines.map(({ msg }) => msg.replace(/ at .*/, '')))
        .toEqual(['lost the state', 'connected to the state']);
    } finally {
      await state.close();
      await watched.close();
    }
  },
);
