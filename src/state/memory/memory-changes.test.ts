/** A copy has the state of one moment, however the state changes while the copy is made. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseCount } from '../../../test/support/case-count.js';
import { recordsOf, restoreRecords, type StateRecord } from '../file/state-records.js';
import {
  classOwner,
  type LogEntry,
  type LogSpace,
  ownedSandboxName,
  type Sandbox,
  type Space,
  serviceSandboxName,
} from '../state.js';
import { createMemoryState, type MemoryState, type MemoryStateOptions } from './memory-state.js';

const texts: Space<string> = { name: 'texts', maxKeys: 5, isFindable: true };
const feeds: LogSpace<true, number> = {
  ...{ name: 'feeds', maxKeys: 3, maxEntries: 4, isAlwaysThere: true },
};

const names = ['', serviceSandboxName, 'a', 'b', ownedSandboxName(classOwner('1'), 'p')];
const keys = ['x', 'y', 'z', 'Ω"\n'];

type Step = (state: MemoryState, sandbox: Sandbox) => unknown;

const key = fc.constantFrom(...keys);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(key, fc.string()).map(
    ([key, value]): Step =>
      (_state, sandbox) =>
        sandbox.update(texts, key, () => ({ value, result: undefined })),
  ),
  key.map(
    (key): Step =>
      (_state, sandbox) =>
        sandbox.update(texts, key, () => ({ value: undefined, result: undefined })),
  ),
  fc.tuple(key, fc.nat(), fc.string()).map(
    ([key, item, text]): Step =>
      (_state, sandbox) =>
        sandbox.transact((view) => view.append(feeds, key, item, text)),
  ),
  fc.tuple(key, fc.nat(9000)).map(
    ([key, size]): Step =>
      (_state, sandbox) =>
        sandbox.log(feeds, key).append(size, Buffer.alloc(size, key)),
  ),
  key.map(
    (key): Step =>
      (_state, sandbox) =>
        sandbox.log(feeds, key).clear(),
  ),
  key.map(
    (key): Step =>
      (_state, sandbox) => {
        const [newest] = sandbox.log(feeds, key).newest(1) as readonly LogEntry<number>[];
        sandbox.log(feeds, key).remove(newest?.sequence ?? 0);
      },
  ),
  fc.nat(1000).map(
    (offsetMs): Step =>
      (_state, sandbox) =>
        sandbox.setClockOffset(offsetMs),
  ),
  fc.constantFrom<Step>(
    (_state, sandbox) => sandbox.reset(),
    (_state, sandbox) => sandbox.reset([texts]),
    (state) => state.resetOwned(classOwner('1')),
  ),
);
const steps = fc.array(fc.tuple(fc.constantFrom(...names), step), { maxLength: 40 });

const options: MemoryStateOptions = { clock: () => 1_000_000, maxLogBytes: 60_000 };

function take(state: MemoryState, all: readonly (readonly [string, Step])[]): void {
  for (const [name, each] of all) each(state, state.sandbox(name));
}

/** Characters are bytes. */
const textOf = ({ line, bytes }: StateRecord) =>
  Buffer.concat([Buffer.from(line), bytes ?? Buffer.alloc(0)]).toString('latin1');
const wholeOf = (state: MemoryState) =>
  [...recordsOf(state.copy(), state.isFindable)].map(textOf).join('');

function restored(whole: string): MemoryState {
  const state = createMemoryState(options);
  const restorer = state.restorer();
  restoreRecords(Buffer.from(whole, 'latin1'), restorer);
  restorer.end();
  return state;
}

test('a copy in pieces is the state of its beginning', () => {
  fc.assert(
    fc.property(steps, steps, (before, during) => {
      const state = createMemoryState(options);
      take(state, before);
      const whole = wholeOf(state);
      const records = recordsOf(state.copy(), state.isFindable);
      const copied: string[] = [];
      for (const each of [undefined, ...during]) {
        const { value, done } = records.next();
        if (!done) copied.push(textOf(value));
        if (each !== undefined) take(state, [each]);
      }
      expect([...copied, ...[...records].map(textOf)].join('')).toBe(whole);
    }),
    { numRuns: caseCount(300) },
  );
});

test('a restored state is the same, counts the same, and behaves the same', () => {
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const state = createMemoryState(options);
      take(state, before);
      const whole = wholeOf(state);
      const copy = restored(whole);
      expect(wholeOf(copy)).toBe(whole);
      const { logBytes: _before, ...sizes } = state.sizes() as unknown as Record<string, number>;
      expect(copy.sizes()).toMatchObject(sizes);
      take(state, after);
      take(copy, after);
      const read = (each: MemoryState) =>
        names.map((name) => keys.map((key) => each.sandbox(name).read(texts, key)));
      expect(read(copy)).toEqual(read(state));
    }),
    { numRuns: caseCount(300) },
  );
});
