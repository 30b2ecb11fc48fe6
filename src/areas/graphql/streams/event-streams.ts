/**
 * Streams that many operations share. They are in the state, because any replica may receive an
 * operation.
 */

import type { Change, LogSpace } from '#state/state.js';
import type { Parameters } from '../request/read-parameters.js';

export interface StreamOperation {
  readonly id: string;
  /** Parameters to run; absent after the start. */
  readonly asked?: Parameters;
  readonly isStopped?: true;
}

export interface EventStream {
  readonly isOpen: boolean;
  readonly operations: readonly StreamOperation[];
}

/**
 * Streams by token. Each change adds an entry to the log, which wakes the process that holds the
 * connection.
 */
export const streamSpace: LogSpace<EventStream, null> = {
  name: 'graphql-streams',
  maxKeys: 200,
  maxEntries: 1,
  isKeptWhenFull: true,
  fullMessage:
    'This sandbox already has 200 event streams, the limit. Close one first, or wait a minute for unopened ones to expire.',
};

/** Time after which an unopened stream expires. */
const unopenedMs = 60_000;

/** Time after which an open stream without a process expires; a living process ends it sooner. */
const openMs = 120_000;
export const renewMs = 30_000;

/** Operations of one stream. */
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

/** Opens a stream for a connection; only one connection can have it. */
export function openStream(current: EventStream | undefined, nowMs: number): StreamChange<Asked> {
  if (current === undefined) return unknown;
  if (current.isOpen) return keep(current, nowMs, 'taken');
  return keep({ ...current, isOpen: true }, nowMs, 'done');
}

/**
 * Requests an operation. Its id must be new: `taken` if an operation with that id has not ended.
 */
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

/** Requests the end of an operation; does nothing if it has ended. */
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
  /** Operations to start now. */
  readonly asked: readonly (StreamOperation & { readonly asked: Parameters })[];
  /** Ids of operations that continue. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Marks all requested operations as started; returns `undefined` if the stream is deleted. `ended`
 * operations are removed.
 */
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
