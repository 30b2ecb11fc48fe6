import { expect, test } from 'vitest';
import { describeLog } from '../../../test/state/contracts/describe-log.js';
import type { LogSpace, StateSizes } from '../state.js';
import { createMemoryState } from './memory-state.js';

describeLog('memory', createMemoryState);

const feeds: LogSpace<true, number> = { name: 'feeds', maxKeys: 10, maxEntries: 500 };

test.each([
  ['of which many share a page', 40],
  ['of which some share a page', 3000],
  ['each of which has a page of its own', 5000],
])('entries, %s, need little more than their bytes, and free all of it', (_how, size) => {
  const state = createMemoryState({ clock: () => 0 });
  const sandbox = state.sandbox('s');
  const logBytes = () => (state.sizes() as StateSizes).logBytes;
  sandbox.update(feeds, 'f', () => ({ value: true as const, result: undefined }));
  const log = sandbox.log<number>(feeds, 'f');
  const most = 500 * (size + 250) * 1.3;
  for (let index = 0; index < 1200; index++) {
    log.append(index, Buffer.alloc(size, index % 256));
    expect(logBytes()).toBeLessThan(most);
  }
  const entries = log.newest(500) as { sequence: number; item: number; bytes: Buffer }[];
  expect(entries.map(({ item }) => item)).toEqual(
    Array.from({ length: 500 }, (_, back) => 1199 - back),
  );
  for (const { item, bytes } of entries) {
    expect(bytes.equals(Buffer.alloc(size, item % 256))).toBe(true);
  }
  for (const { sequence } of entries.filter((_entry, index) => index % 3 > 0)) log.remove(sequence);
  expect((log.newest(500) as unknown[]).length).toBe(167);
  for (const { sequence } of entries) log.remove(sequence);
  expect(logBytes()).toBe(0);
});
