/** Tests the traffic between a state and its server. */

import { expect } from 'vitest';
import { testsWith } from '../../../test/support/foreign-program.js';
import { ask } from '../../../test/support/redis-cluster.js';
import { useRedisStates } from '../../../test/support/redis-states.js';
import { tableOf } from '../../../test/support/table-of.js';
import { ChangeFeed } from '../rows/change-feed.js';
import { Dataset } from '../rows/dataset.js';

const withRedis = testsWith('redis');

interface Note {
  readonly id: number;
  readonly text: string;
}

const newDataset = (...rows: Note[]) => new Dataset<Note>({ name: 'rows', rows });

withRedis.describe('the traffic with a server', () => {
  const redis = useRedisStates();

  async function figureOf(name: string): Promise<number> {
    const stats = String(await ask(redis.server, ['INFO', 'all']));
    return Number(new RegExp(`^${name}[:=](\\d+)`, 'm').exec(stats)?.[1] ?? 0);
  }

  withRedis.test('of a write is the same for 1 record and for 1,000', async () => {
    const state = await redis.open({ clock: Date.now });
    const rows = tableOf(state.sandbox('s'), newDataset());
    const bytesOfWrite = async () => {
      const before = await figureOf('total_net_input_bytes');
      for (const text of ['one', 'two', 'six']) await rows.update(1, ({ id }) => ({ id, text }));
      return (await figureOf('total_net_input_bytes')) - before;
    };
    await rows.create((id) => ({ id, text: 'x'.repeat(100) }));
    const first = await bytesOfWrite();
    for (let count = 2; count <= 1000; count++) {
      await rows.create((id) => ({ id, text: 'x'.repeat(100) }));
    }
    // The number of entries may be reported in between.
    expect(await bytesOfWrite()).toBeLessThan(first + 400);
  });

  withRedis.test('of many reads at once is a few questions', async () => {
    const state = await redis.open({ clock: Date.now });
    const rows = tableOf(state.sandbox('s'), newDataset({ id: 1, text: '' }));
    await rows.update(1, (row) => ({ ...row }));
    await rows.list();
    const before = await figureOf('total_commands_processed');
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 200 }, () => rows.get(1)));
    }
    // Some commands come from the test itself.
    expect((await figureOf('total_commands_processed')) - before).toBeLessThan(40);
  });

  withRedis.test('of hundreds who follow one feed is what one would cause', async () => {
    const state = await redis.open({ clock: Date.now });
    const sandbox = state.sandbox('s');
    const rows = tableOf(sandbox, newDataset({ id: 1, text: '' }));
    await rows.update(1, (row) => ({ ...row, text: 'first' }));
    const feed = new ChangeFeed<Note>(sandbox, 'rows');
    const last = await feed.lastSequence();
    const follow = async () => {
      await feed.waitPast(last, new AbortController().signal);
      return (await feed.after(last, 10))?.[0];
    };
    const before = await figureOf('total_commands_processed');
    const followers = Array.from({ length: 300 }, follow);
    await feed.lastSequence();
    await rows.update(1, (row) => ({ ...row, text: 'second' }));
    const seen = await Promise.all(followers);
    expect((await figureOf('total_commands_processed')) - before).toBeLessThan(60);
    expect(seen[0]?.record.text).toBe('second');
    expect(new Set(seen).size).toBeLessThan(10);
  });
});
