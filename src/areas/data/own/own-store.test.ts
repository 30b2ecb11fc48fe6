import { expect, test } from 'vitest';
import { createMemoryState } from '#state/memory/memory-state.js';
import type { Sandbox, Transaction } from '#state/state.js';
import { tableOf } from '../../../../test/support/table-of.js';
import { loadOwnData } from './load/own-model.js';
import { OwnStore } from './own-store.js';

/** Records the space of each write. */
function noting(sandbox: Sandbox): { readonly sandbox: Sandbox; readonly written: string[] } {
  const written: string[] = [];
  const transact = <Result>(change: (view: Transaction) => Result) =>
    sandbox.transact((view) =>
      change(
        withMethod(view, 'write', ((space, key, value, options) => {
          written.push(space.name);
          view.write(space, key, value, options);
        }) as Transaction['write']),
      ),
    );
  return { sandbox: withMethod(sandbox, 'transact', transact), written };
}

/** Returns a copy with one method replaced. All methods work on the original. */
function withMethod<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  method: Target[Name],
): Target {
  return new Proxy(target, {
    get(inner, member) {
      const value = Reflect.get(inner, member);
      if (member === name) return method;
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}

test('a write of one record writes no other records', async () => {
  const state = createMemoryState({ clock: Date.now });
  const { sandbox, written } = noting(state.sandbox('s'));
  const store = new OwnStore(undefined);
  const posts = Array.from({ length: 10_000 }, (_, id) => ({ id }));
  await store.put(sandbox, loadOwnData(JSON.stringify({ posts })));
  expect(written).toEqual(['own-data']);
  written.length = 0;
  const dataset = (await store.find(sandbox)).datasets.get('posts');
  if (dataset === undefined) throw new Error('There are no posts.');
  await tableOf(sandbox, dataset).update(7, (row) => ({ ...row, title: 'new' }));
  expect(written).toEqual(['own-data-totals', `collection:${dataset.name}`]);
});

test('writes over replaced data are deleted with it', async () => {
  const state = createMemoryState({ clock: Date.now });
  const sandbox = state.sandbox('s');
  const store = new OwnStore(undefined);
  await store.put(sandbox, loadOwnData('{"a":[]}'));
  const { valueBytes: empty } = state.sizes() as { valueBytes: number };
  const dataset = (await store.find(sandbox)).datasets.get('a');
  if (dataset === undefined) throw new Error('There is no a.');
  for (let id = 0; id < 50; id++) {
    await tableOf(sandbox, dataset).create((given) => ({ id: given, text: 'x'.repeat(1000) }), id);
  }
  expect((state.sizes() as { valueBytes: number }).valueBytes).toBeGreaterThan(empty + 50_000);
  await store.put(sandbox, loadOwnData('{"a":[]}'));
  // The names of the spaces remain, a few hundred bytes.
  expect((state.sizes() as { valueBytes: number }).valueBytes).toBeLessThan(empty + 3000);
  await expect(
    (async () => tableOf(sandbox, dataset).create((id) => ({ id }), 1))(),
  ).rejects.toThrow('replaced meanwhile');
});
