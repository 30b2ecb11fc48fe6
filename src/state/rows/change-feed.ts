/**
 * What has become of a collection's rows in a sandbox, in order. A change is told in the same step that
 * makes it; as many are kept as {@link keptChanges}, fewer while logs of all together hold too much.
 */

import { type Awaitable, whenKnown } from '../../base/awaitable.js';
import type { LogEntry, LogSpace, Sandbox, Transaction } from '../state.js';
import type { Row } from './collection.js';

export type ChangeKind = 'created' | 'updated' | 'deleted';

export interface RowChange<R extends Row> {
  /** Grows by one from change to change, also over a reset, where it leaps. */
  readonly sequence: number;
  readonly kind: ChangeKind;
  readonly id: R['id'];
  /** By the sandbox's clock. */
  readonly atMs: number;
  /** As it has become; as it was last, when it was deleted. It is parsed when it is first read. */
  readonly record: R;
}

export interface ChangeFeed<R extends Row> {
  /** Where the latest change took place; 0 before the first of all. */
  lastSequence(): Awaitable<number>;
  /**
   * At most `limit` changes beyond `sequence`, the oldest first. `undefined` when it is not known what came after
   * that: some of it is not kept any more, or there never was such a sequence, as since a reset.
   */
  after(sequence: number, limit: number): Awaitable<readonly RowChange<R>[] | undefined>;
  /** Resolves once {@link after} has something to say, `undefined` included, or `signal` is aborted. Never rejects. */
  waitPast(sequence: number, signal: AbortSignal): Promise<void>;
}

export const keptChanges = 1000;

interface Told {
  readonly kind: ChangeKind;
  readonly id: Row['id'];
  readonly atMs: number;
}

/** By the names of collections. */
const feeds: LogSpace<true, Told> = {
  name: 'collection-changes',
  maxKeys: 200,
  maxEntries: keptChanges,
  isAlwaysThere: true,
};

/** Tells of a change; `json` is the record. */
export function tellChange(
  view: Transaction,
  collection: string,
  kind: ChangeKind,
  id: Row['id'],
  json: string,
): void {
  view.append(feeds, collection, { kind, id, atMs: view.nowMs }, json);
}

/** Who waits for changes, or asks for those since one, hears that it is not known what came after. */
export function forgetChanges(view: Transaction, collection: string): void {
  view.write(feeds, collection, undefined);
}

/** The changes of the collection of that name. */
export function changeFeed<R extends Row>(sandbox: Sandbox, collection: string): ChangeFeed<R> {
  const log = sandbox.log(feeds, collection);
  return {
    lastSequence: () => whenKnown(log.status(), (status) => status?.lastSequence ?? 0),

    after: (sequence, limit) =>
      whenKnown(log.status(), (status) => {
        const { lastSequence = 0, clearedSequence = 0 } = status ?? {};
        if (lastSequence === sequence) return [];
        // Who waits for the very first change knows what came after it.
        const from = sequence === 0 ? clearedSequence : sequence;
        return whenKnown(log.after(from, limit), (entries) =>
          entries[0]?.sequence === from + 1 ? entries.map(readChange<R>) : undefined,
        );
      }),

    waitPast: (sequence, signal) => log.waitPast(sequence, signal),
  };
}

/** Entries that several readers share are parsed once. */
const parsed = new WeakMap<LogEntry<Told>, RowChange<Row>>();

const bytesOfChanges = new WeakMap<RowChange<Row>, Buffer>();

/** The record of a change as JSON, as it was stored. */
export function recordBytesOf(change: RowChange<Row>): Buffer {
  return bytesOfChanges.get(change) ?? Buffer.from(JSON.stringify(change.record));
}

function readChange<R extends Row>(entry: LogEntry<Told>): RowChange<R> {
  const known = parsed.get(entry) as RowChange<R> | undefined;
  if (known !== undefined) return known;
  let record: R | undefined;
  const change = {
    sequence: entry.sequence,
    ...entry.item,
    get record(): R {
      record ??= JSON.parse(String(entry.bytes)) as R;
      return record;
    },
  };
  parsed.set(entry, change);
  bytesOfChanges.set(change, entry.bytes);
  return change;
}
