import { beforeEach, describe, expect, test } from 'vitest';
import { WorkInTurns } from './work-in-turns.js';

let nowMs: number;
let scheduled: (() => void)[];
let done: string[];
let turns: WorkInTurns;

beforeEach(() => {
  nowMs = 0;
  scheduled = [];
  done = [];
  turns = new WorkInTurns(
    8,
    () => nowMs,
    (run) => scheduled.push(run),
  );
});

/** Runs one turn of the event loop and returns its work. */
function turn(): string[] {
  const before = done.length;
  for (const run of scheduled.splice(0)) run();
  return done.slice(before);
}

function piece(name: string, ms: number) {
  return {
    isWaiting: false,
    takeTurn() {
      done.push(name);
      nowMs += ms;
    },
  };
}

test.each<[string, number[], string[]]>([
  ['one by one where each takes long', [9, 9, 9], ['0', '1', '2']],
  ['as many as there is time for', [4, 4, 4, 4, 4], ['0', '1 2', '3 4']],
  ['beyond the time by one piece at most', [1, 7.9, 1, 100, 1], ['0', '1 2', '3', '4']],
  ['all where they take no time', [0, 0, 0, 0], ['0', '1 2 3']],
])('does %s, in order of arrival', (_what, durations, expected) => {
  for (const [index, ms] of durations.entries()) turns.add(piece(String(index), ms));
  const seen = [];
  while (turns.size > 0) seen.push(turn().join(' '));
  expect(seen).toEqual(expected);
});

test('a turn that accepts a connection works an eighth as long, and the next turn as long as usual', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) turns.add(piece(name, 0.9));
  turn();
  turns.shorten();
  expect([turn(), turn()]).toEqual([
    ['b', 'c'],
    ['d', 'e'],
  ]);
  for (const name of ['f', 'g', 'h', 'i']) turns.add(piece(name, 4));
  turns.shorten();
  expect([turn(), turn(), turn()]).toEqual([['f'], ['g', 'h'], ['i']]);
});

test('continued work queues behind waiting work, and runs only once in a turn that is over', () => {
  const first = {
    isWaiting: false,
    takeTurn() {
      done.push('first');
      nowMs += 5;
      if (done.length < 5) turns.add(first);
    },
  };
  turns.add(first);
  turns.add(piece('second', 5));
  turns.add(piece('third', 5));
  expect([turn(), turn(), turn(), turn()]).toEqual([
    ['first'],
    ['second', 'third'],
    ['first'],
    ['first'],
  ]);
});

test('work that is added twice waits once, and removed work is not done', () => {
  const twice = piece('twice', 0);
  const gone = piece('gone', 0);
  turns.add(twice);
  turns.add(gone);
  turns.add(twice);
  turns.remove(gone);
  expect(turns.size).toBe(1);
  expect([...turn(), ...turn()]).toEqual(['twice']);
});

test('thousands of pieces keep their order, and a piece that is removed and added again is done once', () => {
  const added = Array.from({ length: 3000 }, (_, index) => piece(String(index), 0));
  for (const each of added) turns.add(each);
  for (const each of added.slice(1000, 2000)) turns.remove(each);
  expect(turns.size).toBe(2000);
  const again = added[1500];
  if (again !== undefined) turns.add(again);
  while (turns.size > 0) turn();
  const names = [...Array(3000).keys()].filter((name) => name < 1000 || name >= 2000);
  expect(done.filter((name) => name !== '1500')).toEqual(names.map(String));
  expect(done.filter((name) => name === '1500')).toHaveLength(1);
});

test('nothing is scheduled when nothing waits', () => {
  turns.add(piece('only', 0));
  expect(turn()).toEqual(['only']);
  expect(scheduled).toEqual([]);
  const gone = piece('gone', 0);
  turns.add(gone);
  turns.remove(gone);
  turn();
  expect(scheduled).toEqual([]);
});

describe('work is done directly', () => {
  test('until the turn has worked long enough, and again in the next', () => {
    expect(turns.hasTime()).toBe(true);
    nowMs = 7;
    expect(turns.hasTime()).toBe(true);
    nowMs = 8;
    expect(turns.hasTime()).toBe(false);
    turn();
    expect(turns.hasTime()).toBe(true);
    turn();
    expect(scheduled).toEqual([]);
  });

  test('not before waiting work', () => {
    const waiting = piece('waiting', 0);
    turns.add(waiting);
    expect(turns.hasTime()).toBe(false);
    turns.remove(waiting);
    expect(turns.hasTime()).toBe(true);
  });
});

test('work that was awaited counts as work of that turn', async () => {
  const real = new WorkInTurns(8, () => nowMs);
  let thisTurn = 0;
  let mostInATurn = 0;
  let isOver = false;
  function countTurns() {
    thisTurn = 0;
    if (!isOver) setImmediate(countTurns);
  }
  countTurns();
  async function work(name: string) {
    await real.next();
    await null;
    done.push(name);
    nowMs += 9;
    mostInATurn = Math.max(mostInATurn, ++thisTurn);
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(work));
  isOver = true;
  expect(done).toEqual(['a', 'b', 'c', 'd']);
  // Our count may begin between the work of two turns.
  expect(mostInATurn).toBeLessThanOrEqual(2);
});
