/** Streams that many operations share. They are in the state, because any replica may get an operation. */

import type { Change, LogSpace } from '../../../state/state.js';
import type { Parameters } from '../request/read-parameters.js';

export interface StreamOperation {
  readonly id: string;
  /** What to run; absent once that has begun. */
  readonly asked?: Parameters;
  readonly isStopped?: true;
}

export interface EventStream {
  readonly isOpen: boolean;
  readonly operations: readonly StreamOperation[];
}

/** By token. The log is the bell that whoever has the stream listens for: an entry for each change. */
export const streamSpace: LogSpace<EventStream, null> = {
  name: 'graphql-streams',
  maxKeys: 200,
  maxEntries: 1,
  isKeptWhenFull: true,
  fullMessage:
    'This sandbox already has 200 event streams, the limit. Close one first, or wait a minute for those that were never opened.',
};

/** How long a stream waits to be opened. */
const unopenedMs = 60_000;

/** An open stream whose process is gone stays for so long; a living process ends it sooner. */
const openMs = 120_000;
export const renewMs = 30_000;

/** Of one stream. */
export const maxOperations = 50;

export type Asked = 'unknown' | 'taken' | 'full' | 'done';
type StreamChange<Result> = Change<EventStream, Result>;

function keep<Result>(value: EventStream, nowMs: number, result: Result): StreamChange<Result> {
  return { value, expiresAtMs: nowMs + (value.isOpen ? openMs : unopenedMs), result };
}

const unknown: StreamChange<Asked> = { value: undefined, result: 'unknown' };

export function reserveStream(_current: unknown, nowMs: number): StreamChange<void> {
  return keep({ isOpen: false, operations: [] }, nowMs, undefined);
}

/** Takes a stream; only one connection can have it. */
export function openStream(current: EventStream | undefined, nowMs: number): StreamChange<Asked> {
  if (current === undefined) return unknown;
  if (current.isOpen) return keep(current, nowMs, 'taken');
  return keep({ ...current, isOpen: true }, nowMs, 'done');
}

/** Asks for an operation. Its id must be new: `taken` when one of that id has not ended. */
export function askOperation(
  current: EventStream | undefined,
  nowMs: number,
  id: string,
  asked: Parameters,
): StreamChange<Asked> {
  if (current === undefined) return unknown;
  const { operations } = current;
  if (operations.some((operation) => operation.id === id)) return keep(current, nowMs, 'taken');
  if (operations.length >= maxOperations) return keep(current, nowMs, 'full');
  return keep({ ...current, operations: [...operations, { id, asked }] }, nowMs, 'done');
}

/** Asks for the end of an operation; of one that has ended there is nothing to ask. */
export function stopOperation(
  current: EventStream | undefined,
  nowMs: number,
  id: string,
): StreamChange<Asked> {
  if (current === undefined) return unknown;
  const operations = current.operations.map((operation) =>
    operation.id === id ? { id, isStopped: true as const } : operation,
  );
  return keep({ ...current, operations }, nowMs, 'done');
}

export interface News {
  /** Each to be begun now. */
  readonly asked: readonly (StreamOperation & { readonly asked: Parameters })[];
  /** Those that shall go on. */
  readonly ids: ReadonlySet<string>;
}

/** Takes note of all that was asked; `undefined` when the stream is gone. `ended` have nothing more to say. */
export function takeNews(
  current: EventStream | undefined,
  nowMs: number,
  ended: ReadonlySet<string>,
): StreamChange<News | undefined> {
  if (current === undefined) return { value: undefined, result: undefined };
  const asked = current.operations.flatMap((operation) =>
    operation.asked === undefined ? [] : [{ ...operation, asked: operation.asked }],
  );
  const operations = current.operations
    .filter(({ id, isStopped, asked }) => !isStopped && (asked !== undefined || !ended.has(id)))
    .map(({ id }) => ({ id }));
  const ids = new Set(operations.map(({ id }) => id));
  return keep({ ...current, operations }, nowMs, { asked, ids });
}
