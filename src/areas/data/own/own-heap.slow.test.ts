/** Compares the counted size of loaded data with the heap that it occupies after all of it was read. */

import { expect, test } from 'vitest';
import { createMemoryState } from '#state/memory/memory-state.js';
import { defaultSandboxLimits } from '#state/state.js';
import { collectGarbage } from '../../../../test/support/collect-garbage.js';
import { loadOwnData } from './load/own-model.js';
import { OwnStore } from './own-store.js';

async function memoryTaken(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Prevents garbage collection during a measurement. */
const kept: unknown[] = [];

const list = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index));
const named = (count: number, value: (index: number) => unknown, start = '') =>
  Object.fromEntries(list(count, (index) => [`n${start}${index}`, value(index)]));
const records = (count: number, members: (index: number) => object) => ({
  a: list(count, (id) => ({ id, ...members(id) })),
});

/** The same names in another order each time. */
function shuffled(seed: number): object {
  const names = list(40, (index) => ({
    name: `n${index}`,
    key: (index * 7919 * (seed + 3)) % 4093,
  }));
  names.sort((one, other) => one.key - other.key);
  return Object.fromEntries(names.map(({ name }) => [name, 1]));
}

test.each<[string, number, (index: number) => object]>([
  ['nothing', 1000, () => ({})],
  ['one record', 1000, (index) => ({ a: [{ id: 1, place: index }] })],
  ['fifty collections', 200, (index) => named(50, () => [{ id: 1, place: index }])],
  [
    'a schema',
    300,
    () => ({ $schemas: { c: { properties: named(150, () => ({ type: 'string' })) } }, c: [] }),
  ],
  ['small records', 5, () => records(10_000, () => ({}))],
  ['ordinary records', 10, () => records(2000, (n) => ({ title: `title ${n}`, n, tags: ['a'] }))],
  ['integers', 4, () => records(5000, () => ({ v: list(40, (n) => n) }))],
  ['fractions', 3, () => records(5000, () => ({ v: list(40, (n) => n + 0.5) }))],
  ['empty objects', 3, () => ({ a: [{ id: 1, v: list(200_000, () => ({})) }] })],
  ['nested objects', 3, () => records(5000, () => ({ a: { b: { c: { d: [[[]]] } } } }))],
  ['names in another order', 3, (index) => records(2000, (n) => shuffled(n + index * 2000))],
  ['unique names', 3, (index) => records(5000, (n) => named(3, () => 1, `${index}_${n}_`))],
  ['objects with many members', 10, () => records(20, () => named(3000, (n) => n))],
  ['long texts', 10, () => records(1000, (n) => ({ text: `ž${String(n).padEnd(500, 'x')}` }))],
])(
  '%s: at least nine tenths of the heap are counted',
  { retry: 3 },
  async (_what, howMany, make) => {
    const limits = { ...defaultSandboxLimits, maxSandboxes: 10_000 };
    const state = createMemoryState({ clock: () => 0, limits });
    const store = new OwnStore(undefined);
    kept.push(state, store);
    const texts = list(howMany, (index) => JSON.stringify(make(index)));
    const counted = () => (state.sizes() as { valueBytes: number }).valueBytes;
    await store.put(state.sandbox('warm'), loadOwnData(texts[0] ?? ''));
    const [before, countedBefore] = [await memoryTaken(), counted()];
    for (const [index, text] of texts.entries()) {
      const sandbox = state.sandbox(`s${index}`);
      await store.put(sandbox, loadOwnData(text));
      await store.snapshot(sandbox);
    }
    const taken = (await memoryTaken()) - before;
    const ratio = (counted() - countedBefore) / taken;
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(3);
  },
);
