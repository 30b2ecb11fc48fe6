import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { whileInMemory } from './while-in-memory.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('callers at the same time share one value', async () => {
  let count = 0;
  const read = whileInMemory(async () => ({ count: ++count }));
  const [one, other] = await Promise.all([read(), read()]);
  expect(one).toBe(other);
  expect(await read()).toBe(one);
});

test('a failure is not kept', async () => {
  let count = 0;
  const read = whileInMemory(async () => {
    count += 1;
    if (count === 1) throw new Error('not yet');
    return { count };
  });
  await expect(read()).rejects.toThrow('not yet');
  expect(await read()).toEqual({ count: 2 });
});

test('a value that is no longer used is collected, and made again', async () => {
  let count = 0;
  const read = whileInMemory(async () => ({ count: ++count }));
  await read();
  // A WeakRef holds its value until the current job ends.
  await new Promise(setImmediate);
  collectGarbage();
  expect(await read()).toEqual({ count: 2 });
});
