/** Compares counted bytes with real use of the heap. */

import { expect, test } from 'vitest';
import { collectGarbage } from '../../../test/support/collect-garbage.js';
import { tableOf } from '../../../test/support/table-of.js';
import { createMemoryState, type MemoryStateOptions } from '../memory/memory-state.js';
import {
  defaultSandboxLimits,
  type LogSpace,
  type Sandbox,
  type Space,
  type State,
} from '../state.js';
import { Dataset } from './dataset.js';
import { heapBytes, ownCopy, textBytes } from './heap-bytes.js';

test.each([
  ['', 16],
  ['a', 24],
  ['12345678', 24],
  ['123456789', 32],
  ['ÿ'.repeat(8), 24],
  ['ž2345678', 32],
  ['😀', 24],
  ['x'.repeat(1_000_000), 1_000_016],
])('the text %j has %i bytes', (text, bytes) => {
  expect(textBytes(text)).toBe(bytes);
});

test.each<[unknown, number]>([
  [0, 0],
  [-5, 0],
  [1.5, 16],
  [Date.now(), 16],
  [true, 0],
  [null, 0],
  [{}, 24],
  [{ a: 1 }, 32],
  [{ a: 'x' }, 56],
  [[], 40],
  [[1, 2.5], 72],
  [{ a: { b: ['x'] } }, 136],
])('%j has %i bytes', (value, bytes) => {
  expect(heapBytes(value)).toBe(bytes);
});

test('a copy is equal, and shares no memory with the original', () => {
  const value = { text: 'half \ud83d', list: [1, null, { deep: true }] };
  const copy = ownCopy(value);
  expect(copy).toEqual(value);
  expect(copy.list).not.toBe(value.list);
});

/** Keeps everything alive during a measurement. */
const states: State[] = [];

function newState(options: MemoryStateOptions): State {
  const state = createMemoryState(options);
  states.push(state);
  return state;
}

async function memoryTaken(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes of values and of their change feeds. */
function bytesOf(state: State): number {
  const { valueBytes, logBytes } = state.sizes() as { valueBytes: number; logBytes: number };
  return valueBytes + logBytes;
}

const small: Space<unknown> = { name: 'small', maxKeys: 100_000 };
const findable: LogSpace<unknown, unknown> = {
  name: 'findable',
  maxKeys: 100_000,
  maxEntries: 50,
  isFindable: true,
};

interface Book {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly price: number;
  readonly tags: readonly string[];
}
const books = new Dataset<Book>({ name: 'books', rows: [] });

const put = (sandbox: Sandbox, space: Space<unknown>, key: string, value: unknown) =>
  sandbox.update(space, key, () => ({ value, result: undefined }));

const createBook = (sandbox: Sandbox, place: number) =>
  tableOf(sandbox, books).create((id) => ({
    id,
    title: cutText(place, 200),
    author: `${place} is an author`,
    price: place + 0.5,
    tags: [`tag ${place} the first`],
  }));

/** Returns a part of a header of 16 KiB. */
const cutText = (place: number, length: number) =>
  Buffer.from(String(place).padEnd(16_000, 'x')).toString().slice(0, length);

test.each<[string, number, (sandbox: Sandbox, place: number) => unknown]>([
  ['empty values', 80_000, (sandbox, place) => put(sandbox, small, `k${place}`, '')],
  [
    'windows',
    40_000,
    (sandbox, place) =>
      put(sandbox, small, `ip:${place}`, { limit: 5, used: 1, endsAtMs: 1e12 + place }),
  ],
  ['long keys', 5000, (sandbox, place) => put(sandbox, small, `k${place}`.padEnd(2000, 'x'), 1)],
  [
    'keys cut out of longer texts',
    30_000,
    (sandbox, place) => put(sandbox, small, cutText(place, 256), 1),
  ],
  [
    'characters of two bytes',
    10_000,
    (sandbox, place) => put(sandbox, small, `ž${place}`, `ž${String(place).padEnd(500, 'x')}`),
  ],
  [
    'keys with a log that was looked at',
    20_000,
    (sandbox, place) => {
      put(sandbox, findable, `bin${place}`, { id: place, name: `name ${place} of it` });
      return sandbox.log(findable, `bin${place}`).status();
    },
  ],
  ['rows with texts cut out of documents', 10_000, (sandbox, place) => createBook(sandbox, place)],
  [
    'rows that were read',
    10_000,
    (sandbox, place) => {
      const { id } = createBook(sandbox, place) as Book;
      return tableOf(sandbox, books).get(id);
    },
  ],
])('%s count for their real size', { retry: 3 }, async (_what, howMany, write) => {
  const state = newState({ clock: () => 0 });
  for (let place = -300; place < 0; place++) write(state.sandbox('warm'), place);
  const before = await memoryTaken();
  const sizeBefore = bytesOf(state);
  for (let place = 1; place <= howMany; place++) write(state.sandbox(`${place % 10}`), place);
  const taken = (await memoryTaken()) - before;
  const counted = bytesOf(state) - sizeBefore;
  expect(counted / taken).toBeGreaterThan(0.9);
  expect(counted / taken).toBeLessThan(1.8);
});

test('nearly empty sandboxes count for their real size', { retry: 3 }, async () => {
  const state = newState({
    clock: () => 0,
    limits: { ...defaultSandboxLimits, maxSandboxes: 10_000 },
  });
  const before = await memoryTaken();
  for (let place = 0; place < 5000; place++) put(state.sandbox(`sandbox-${place}`), small, 'a', 1);
  const taken = (await memoryTaken()) - before;
  const counted = (state.sizes() as { valueBytes: number }).valueBytes;
  expect(counted / taken).toBeGreaterThan(0.9);
  expect(counted / taken).toBeLessThan(1.8);
});

test.each([0, 100, 1000, 20_000])(
  'entries of logs with %i bytes count for their real size',
  { retry: 3 },
  async (size) => {
    const state = newState({ clock: () => 0 });
    const [sandbox, keys] = [state.sandbox(''), 40];
    for (let key = 0; key < keys; key++) put(sandbox, findable, `bin${key}`, 1);
    const before = await memoryTaken();
    for (let key = 0; key < keys; key++) {
      for (let each = 0; each < 50; each++) {
        sandbox.log(findable, `bin${key}`).append({ path: '/' }, Buffer.alloc(size));
      }
    }
    const taken = (await memoryTaken()) - before;
    const counted = (state.sizes() as { logBytes: number }).logBytes;
    expect(counted / taken).toBeGreaterThan(0.9);
  },
);
