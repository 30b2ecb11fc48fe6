import { expect, test } from 'vitest';
import {
  afterRestart,
  connect,
  dueIn,
  emptyQueue,
  lend,
  maxOpen,
  type OpenDelivery,
  type Queue,
  redeliver,
  settle,
  takeIn,
} from './queue.js';
import { subscriptionSteering } from './subscriptions.js';

const delivery = (sequence: number, object = 'a'): OpenDelivery => ({
  ...{ sequence, object, attempts: 0, nextAtMs: 0 },
});
const queueOf = (...open: OpenDelivery[]): Queue => ({ ...emptyQueue, open });
const rules = { retrySchedule: [5], disableAfterFailures: 2 };

test('of each object, the first is due', () => {
  const queue = queueOf(delivery(1), delivery(2), delivery(3, 'b'));
  expect(dueIn(queue, { nowMs: 0, realMs: 0 }).map(({ sequence }) => sequence)).toEqual([1, 3]);
});

test.each([
  [undefined, 5],
  [4, 5],
  [60, 60],
  [86_400, 86_400],
  [86_401, 86_400],
])('after Retry-After: %s, the pause is %d s', (retryAfter, seconds) => {
  const report = { status: 503, retryAfter, nowMs: 0 };
  const { queue } = settle(queueOf(delivery(1)), delivery(1), report, rules);
  expect(queue.open[0]?.nextAtMs).toBe(seconds * 1000);
});

test('a failing receiver gets the next deliveries after these', () => {
  expect(maxOpen).toBe(1000);
  const entries = [1, 2].map((sequence) => ({
    sequence,
    item: { id: 'evt', source: 'test', type: 'a.b', object: 'a', atMs: 0 },
    bytes: Buffer.alloc(0),
  }));
  const once = takeIn(emptyQueue, entries);
  expect(takeIn(once, entries)).toBe(once);
});

test('a delivery that was redelivered before its turn is added once, in order', () => {
  const again = redeliver(emptyQueue, { sequence: 2, object: 'a', attempts: 0 });
  const item = { id: 'evt', source: 'test', type: 'a.b', object: 'a', atMs: 0 };
  const entries = [1, 2, 3].map((sequence) => ({ sequence, item, bytes: Buffer.alloc(0) }));
  const { open } = takeIn(again, entries);
  expect(open.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(open[1]?.repeated).toBe('redelivery');
});

test.each([
  ['of another process', 'before', 'unreported'],
  ['of this process', 'now', undefined],
])('to the first listener, deliveries %s are repeated: %s', (_whose, process, repeated) => {
  const connecting = { id: 'new', untilMs: 1, process: 'now', isOnlyProcess: true };
  const queue = connect(
    { ...queueOf(delivery(1)), process },
    { ...connecting, nowMs: 0, lastSequence: 1 },
  );
  expect(queue?.open[0]?.repeated).toBe(repeated);
});

test.each([
  ['the same process keeps', 'before', 1],
  ['a restored state hands out again', 'now', undefined],
])('for a listener that reconnects, %s what it has received', (_whose, process, handout) => {
  const listener = { id: 'same', connection: 1, untilMs: 1, process: 'before' };
  const queue = connect(
    { ...queueOf({ ...delivery(1), handout: 1 }), handouts: 1, listener },
    {
      ...{ id: 'same', received: 1, untilMs: 1, process, isOnlyProcess: true },
      ...{ nowMs: 0, lastSequence: 1 },
    },
  );
  expect(queue?.open[0]).toMatchObject({ sequence: 1 });
  expect(queue?.open[0]?.handout).toBe(handout);
  // The program knows whether it has arrived.
  expect(queue?.open[0]?.repeated).toBeUndefined();
});

test.each([
  ['another process, with a state of its own', 'before', true, 'unreported'],
  ['another process that shares the state', 'before', false, undefined],
  ['this process', 'now', true, undefined],
])(
  'what %s had is repeated for a client that polls: %s',
  (_whose, before, isOnlyProcess, repeated) => {
    const given = { process: 'now', isOnlyProcess, lastSequence: 7 };
    const queue = afterRestart({ ...queueOf(delivery(1)), process: before }, given);
    expect(queue.open[0]?.repeated).toBe(repeated);
    expect(queue.repeatedTo).toBe(repeated === undefined ? 0 : 7);
  },
);

test('a lent delivery is due again after its lease, and then repeated', () => {
  const queue = lend(queueOf(delivery(1)), [1], { untilMs: 10, signedAt: 1 });
  expect(dueIn(queue, { nowMs: 0, realMs: 9 })).toEqual([]);
  expect(dueIn(queue, { nowMs: 0, realMs: 10 })).toHaveLength(1);
  expect(lend(queue, [1], { untilMs: 20, signedAt: 2 }).open).toEqual([
    { ...delivery(1), lentUntilMs: 20, signedAt: 2, repeated: 'unreported' },
  ]);
});

test('details of other areas have at most 20,000 bytes', async () => {
  const sandbox = { name: 'mine' } as never;
  const details = { text: 'x'.repeat(20_000) };
  const wanted = { events: ['*'], scheme: 'stripe', details } as const;
  await expect(subscriptionSteering.create(sandbox, wanted)).rejects.toThrow('at most 20000 bytes');
});
