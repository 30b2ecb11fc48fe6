import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.js';

/** The piece `a1` belongs to the owner `a`, and `ax1` to its part `x`. */
function ownerOf(piece: string) {
  const [name = '', part = ''] = piece.replace(/\d/g, '');
  return { name, part };
}

const tooMany = () => new Error('Too many wait.');

/** Returns a queue whose first piece is running until the test releases it. */
function busyQueue(limit: number) {
  const queue = new FairQueue(limit, tooMany);
  const done: string[] = [];
  let letGo = () => {};
  const first = queue.run(
    ownerOf('first'),
    () => new Promise<void>((resolve) => (letGo = resolve)),
  );
  const run = (name: string) =>
    queue.run(ownerOf(name), async () => {
      done.push(name);
      return name;
    });
  return { run, done, first, letGo: () => letGo() };
}

test.each([
  ['of one owner in order', ['a1', 'a2', 'a3'], ['a1', 'a2', 'a3']],
  [
    'of several owners in turn',
    ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'],
    ['a1', 'b1', 'c1', 'a2', 'c2', 'a3'],
  ],
  [
    'of several parts of an owner in turn, and no more often',
    ['ax1', 'ax2', 'ay1', 'b1', 'b2'],
    ['ax1', 'b1', 'ay1', 'b2', 'ax2'],
  ],
])('work %s', async (_name, pieces, order) => {
  const { run, done, letGo } = busyQueue(10);
  const running = Promise.all(pieces.map(run));
  letGo();
  expect(await running).toEqual(pieces);
  expect(done).toEqual(order);
});

test('when too many pieces wait, the latest piece of the busiest owner is dropped for another owner', async () => {
  const { run, done, letGo } = busyQueue(3);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(run);
  letGo();
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([
    ...[true, false, false, false],
    ...[true, false, true],
  ]);
  expect(done).toEqual(['a1', 'b1', 'c1']);
  expect(settled[3]).toMatchObject({ reason: tooMany() });
});

test('failing work rejects, and the waiting work continues', async () => {
  const queue = new FairQueue(3, tooMany);
  const failing = queue.run(ownerOf('a'), () => Promise.reject(new Error('It failed.')));
  const next = queue.run(ownerOf('a'), async () => 'next');
  await expect(failing).rejects.toThrow('It failed.');
  expect(await next).toBe('next');
});
