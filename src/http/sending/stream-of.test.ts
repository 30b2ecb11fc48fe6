import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { inSlices, sliceBytes } from './stream-of.js';

const long = 'ž'.repeat(sliceBytes);

test.each<[string, (string | Buffer)[], number[]]>([
  ['nothing', [], []],
  ['empty pieces', ['', Buffer.alloc(0)], []],
  ['short pieces together', ['a', 'b', 'c'], [3]],
  ['a long text', [long, 'x'], [sliceBytes, sliceBytes, 1]],
  ['bytes behind a short text', ['a', Buffer.from('b'), 'c'], [1, 1, 1]],
  ['long bytes', [Buffer.alloc(sliceBytes + 1)], [sliceBytes, 1]],
])('%s', async (_name, pieces, lengths) => {
  const slices = (await Readable.from(inSlices(pieces)).toArray()) as Buffer[];
  expect(slices.map(({ length }) => length)).toEqual(lengths);
  const all = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  expect(Buffer.concat(slices).equals(all)).toBe(true);
});

test('a chunk is made only after the previous one was read', async () => {
  let made = 0;
  function* pieces() {
    for (; made < 100; made++) yield 'x'.repeat(sliceBytes);
  }
  const slices = inSlices(pieces());
  await slices.next();
  await slices.next();
  expect(made).toBeLessThanOrEqual(2);
  await slices.return(undefined);
});

test('each turn of the event loop makes a little for many readers', async () => {
  let thisTurn = 0;
  let mostInATurn = 0;
  let isOver = false;
  function countTurns() {
    thisTurn = 0;
    if (!isOver) setImmediate(countTurns);
  }
  function* pieces() {
    for (let made = 0; made < 10; made++) {
      // The first chunk of each reader is made at once.
      if (made > 0) mostInATurn = Math.max(mostInATurn, ++thisTurn);
      const untilMs = performance.now() + 5;
      while (performance.now() < untilMs);
      yield 'x'.repeat(sliceBytes);
    }
  }
  const readers = Array.from({ length: 10 }, async () => {
    let length = 0;
    for await (const slice of inSlices(pieces())) {
      length += slice.length;
    }
    return length;
  });
  countTurns();
  expect(await Promise.all(readers)).toEqual(new Array(10).fill(10 * sliceBytes));
  isOver = true;
  expect(mostInATurn).toBeLessThanOrEqual(2 * 2);
});
