/** Feed of changes of a table in a sandbox. The step that makes a change also reports it. */

import { createNotes } from '#base/notes.js';
import type { Log, LogEntry, LogSpace, Sandbox, Transaction } from '../state.js';
import type { Row } from './dataset.js';

export type ChangeKind = 'created' | 'updated' | 'deleted';

interface ReportedChange {
  readonly kind: ChangeKind;
  readonly id: Row['id'];
  readonly atMs: number;
}

/** Fewer are kept if all logs together are too large. */
export const keptChanges = 1000;

const feeds: LogSpace<true, ReportedChange> = {
  name: 'collection-changes',
  maxKeys: 200,
  maxEntries: keptChanges,
  isAlwaysThere: true,
};

export function reportChange(
  view: Transaction,
  table: string,
  kind: ChangeKind,
  id: Row['id'],
  json: string,
): void {
  view.append(feeds, table, { kind, id, atMs: view.nowMs }, json);
}

/** Invalidates all earlier positions in the feed, also for waiting clients. */
export function forgetChanges(view: Transaction, table: string): void {
  view.write(feeds, table, undefined);
}

export class RowChange<R extends Row> {
  /** Increases by one with each change, and by more with a reset. */
  readonly sequence: number;
  readonly kind: ChangeKind;
  readonly id: R['id'];
  readonly atMs: number;
  readonly recordBytes: Buffer;
  #record: R | undefined;

  constructor({ sequence, item: { kind, id, atMs }, bytes }: LogEntry<ReportedChange>) {
    this.sequence = sequence;
    this.kind = kind;
    this.id = id;
    this.atMs = atMs;
    this.recordBytes = bytes;
  }

  /** The row after the change, or before its deletion; parsed on first use. */
  get record(): R {
    this.#record ??= JSON.parse(String(this.recordBytes)) as R;
    return this.#record;
  }
}

/** Readers of one feed in a shared store get the same entries, each of which is parsed once. */
const changes = createNotes<RowChange<Row>>();

function changeOf<R extends Row>(entry: LogEntry<ReportedChange>): RowChange<R> {
  const change = changes.find(entry) ?? new RowChange(entry);
  changes.set(entry, change);
  return change as RowChange<R>;
}

export class ChangeFeed<R extends Row> {
  readonly #log: Log<ReportedChange>;

  constructor(sandbox: Sandbox, table: string) {
    this.#log = sandbox.log(feeds, table);
  }

  /** Returns the sequence of the latest change; 0 before the first. */
  async lastSequence(): Promise<number> {
    return (await this.#log.status())?.lastSequence ?? 0;
  }

  /**
   * Returns changes after `sequence`, the oldest first; `undefined` if some of them were dropped or
   * the sequence never existed, as after a reset.
   */
  async after(sequence: number, limit: number): Promise<readonly RowChange<R>[] | undefined> {
    const { lastSequence = 0, clearedSequence = 0 } = (await this.#log.status()) ?? {};
    if (lastSequence === sequence) return [];
    // A client that waits for the first change has missed none.
    const from = sequence === 0 ? clearedSequence : sequence;
    const entries = await this.#log.after(from, limit);
    return entries[0]?.sequence === from + 1
      ? entries.map((entry) => changeOf<R>(entry))
      : undefined;
  }

  /**
   * Resolves once {@link after} would return another result, or `signal` is aborted. Never rejects.
   */
  waitPast(sequence: number, signal: AbortSignal): Promise<void> {
    return this.#log.waitPast(sequence, signal);
  }
}
