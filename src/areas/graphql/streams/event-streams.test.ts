import { describe, expect, test } from 'vitest';
import {
  askOperation,
  type EventStream,
  maxOperations,
  openStream,
  reserveStream,
  stopOperation,
  takeNews,
} from './event-streams.js';

const asked = { query: '{ users { id } }', variables: undefined, operationName: undefined };
const reserved: EventStream = { isOpen: false, operations: [] };
const open: EventStream = { isOpen: true, operations: [] };
const running: EventStream = { isOpen: true, operations: [{ id: 'a' }] };
const full: EventStream = {
  isOpen: true,
  operations: Array.from({ length: maxOperations }, (_, id) => ({ id: String(id) })),
};

test('a reservation lasts a minute', () => {
  expect(reserveStream(undefined, 1000)).toEqual({
    value: reserved,
    expiresAtMs: 61_000,
    result: undefined,
  });
});

test.each([
  ['that is reserved', reserved, 'done', open],
  ['that is open', open, 'taken', open],
  ['that is none', undefined, 'unknown', undefined],
])('opening a stream %s', (_name, current, result, value) => {
  expect(openStream(current, 0)).toMatchObject({ result, ...(value && { value }) });
});

test.each([
  ['of a new id', running, 'b', 'done', [{ id: 'a' }, { id: 'b', asked }]],
  ['before the stream is open', reserved, 'a', 'done', [{ id: 'a', asked }]],
  ['of an id in use', running, 'a', 'taken', [{ id: 'a' }]],
  ['of a full stream', full, 'b', 'full', full.operations],
])('requesting an operation %s', (_name, current, id, result, operations) => {
  const change = askOperation(current, 0, id, asked);
  expect(change.result).toBe(result);
  expect(change.value?.operations).toEqual(operations);
});

test.each([
  ['that runs', running, 'a', 'done', [{ id: 'a', isStopped: true }]],
  ['that has ended', running, 'b', 'done', [{ id: 'a' }]],
  ['of no stream', undefined, 'a', 'unknown', undefined],
])('stopping an operation %s', (_name, current, id, result, operations) => {
  const change = stopOperation(current, 0, id);
  expect(change.result).toBe(result);
  expect(change.value?.operations).toEqual(operations);
});

describe('news', () => {
  const none: ReadonlySet<string> = new Set();

  test.each([
    ['what is asked begins', [{ id: 'a', asked }], none, ['a'], ['a']],
    ['what runs goes on', [{ id: 'a' }], none, [], ['a']],
    ['what is stopped ends', [{ id: 'a', isStopped: true as const }], none, [], []],
    ['what has ended is forgotten', [{ id: 'a' }, { id: 'b' }], new Set(['a']), [], ['b']],
    ['an id that is used again begins', [{ id: 'a', asked }], new Set(['a']), ['a'], ['a']],
  ])('%s', (_name, operations, ended, begun, ids) => {
    const { value, result } = takeNews({ isOpen: true, operations }, 0, ended);
    expect(result?.asked.map(({ id }) => id)).toEqual(begun);
    expect([...(result?.ids ?? [])]).toEqual(ids);
    expect(value?.operations).toEqual(ids.map((id) => ({ id })));
  });

  test('a deleted stream has no news', () => {
    expect(takeNews(undefined, 0, none)).toEqual({ value: undefined, result: undefined });
  });
});
