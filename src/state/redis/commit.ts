/**
 * Combines transactions of a sandbox: each runs on the outcome of the previous ones, and one script
 * stores all writes.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Overlay } from '../rows/overlay.js';
import { type Space, StateUnavailableError, type Transaction } from '../state.js';
import { noRow, type Row, StoredRow } from './known-rows.js';
import { OptimisticReads } from './optimistic-reads.js';
import type { Argument } from './redis-client.js';
import { packItem } from './redis-log.js';
import { flagsOf, idOf, type RedisStore } from './redis-store.js';

export interface WaitingTransaction {
  readonly caller: () => string;
  readonly change: (view: Transaction) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Limit of attempts if other writers of the same rows come first. */
const maxAttempts = 200;
/** Attempts without a pause. */
const patientAttempts = 5;

export async function commit(
  store: RedisStore,
  name: string,
  batch: readonly WaitingTransaction[],
): Promise<void> {
  const reads = new OptimisticReads(store, name);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (attempt > patientAttempts) await delay(Math.random() * Math.min(attempt, 20));
    reads.begin();
    const made = new Overlay(reads, reads.nowMs);
    const settlements = batch.map((each) => run(each, made));
    if (await reads.load()) continue;
    if (!(await new Attempt(store, name, reads, made).write(batch[0]?.caller))) continue;
    for (const settlement of settlements) settlement();
    return;
  }
  const cause = new Error(`${maxAttempts} other writers of ${name} came first.`);
  throw new StateUnavailableError({ cause });
}

/** Runs a transaction on the writes of previous ones, and returns the function that settles it. */
function run({ change, resolve, reject }: WaitingTransaction, made: Overlay): () => void {
  const view = new Overlay(made, made.nowMs);
  try {
    const result = view.run(change);
    made.absorb(view);
    return () => resolve(result);
  } catch (error) {
    return () => reject(error);
  }
}

/** A row that was read, and its replacement. */
interface Touched {
  readonly space: Space<unknown>;
  readonly key: string;
  readonly row: Row;
  readonly kind: 'read' | 'delete' | 'new' | 'write';
  readonly expiry: string;
  readonly json: string;
}

/** An attempt to write; sandbox.lua describes the words that it sends and receives. */
class Attempt {
  readonly #store: RedisStore;
  readonly #name: string;
  readonly #reads: OptimisticReads;
  readonly #made: Overlay;
  readonly #touched: readonly Touched[];
  readonly #places: ReadonlyMap<string, string>;

  constructor(store: RedisStore, name: string, reads: OptimisticReads, made: Overlay) {
    this.#store = store;
    this.#name = name;
    this.#reads = reads;
    this.#made = made;
    this.#touched = touchedBy(reads, made);
    this.#places = new Map(reads.spaces.map(({ space }, place) => [space.name, String(place)]));
  }

  /** Returns whether the write succeeded; otherwise corrects the reads. */
  async write(caller: WaitingTransaction['caller'] | undefined): Promise<boolean> {
    const findable = this.#touched.filter(({ kind, space }) => kind === 'new' && space.isFindable);
    await Promise.all(
      findable.map(({ space, key }) => this.#store.setHolder(this.#name, `${space.name}|${key}`)),
    );
    const [outcome, , ...rest] = await this.#store.askWithRoom(
      this.#name,
      'commit',
      [this.#reads.offsetMs, ...this.#spaceWords(), ...this.#rowWords(), ...this.#appendWords()],
      caller,
    );
    if (outcome === 'written') this.#remember(rest);
    else if (outcome === 'full') this.#reads.correctRoom(rest[0] ?? '', Number(rest[1]));
    else this.#correct(rest);
    return outcome === 'written';
  }

  #spaceWords(): string[] {
    const { spaces } = this.#reads;
    const words = spaces.flatMap(({ space, whole }) => [
      space.name,
      flagsOf(space),
      String(space.maxKeys),
      String(whole?.version ?? '-'),
    ]);
    return [String(spaces.length), ...words];
  }

  #rowWords(): string[] {
    const words = this.#touched.flatMap(({ space, key, row, kind, expiry, json }) => [
      this.#places.get(space.name) ?? '',
      key,
      row.version,
      kind.charAt(0),
      ...(kind === 'new' || kind === 'write' ? [expiry, json] : []),
    ]);
    return [String(this.#touched.length), ...words];
  }

  /** A text that is also a row is sent once. */
  #appendWords(): Argument[] {
    const { appends } = this.#made;
    const sources = new Map(
      this.#touched.flatMap(({ kind, json }, place) =>
        kind === 'new' || kind === 'write' ? [[json, String(place)]] : [],
      ),
    );
    const words = appends.flatMap(({ space, key, item, text }) => {
      const source = sources.get(text);
      const entry = source === undefined ? ['-', text] : [source];
      const place = this.#places.get(space.name) ?? '';
      return [place, key, String(space.maxEntries), packItem(item), ...entry];
    });
    return [String(appends.length), ...words];
  }

  #correct([, ...differences]: readonly string[]): void {
    const { spaces } = this.#reads;
    for (let place = 0; place < differences.length; place += 3) {
      const [kind, index, stored = ''] = differences.slice(place, place + 3);
      const list = spaces[Number(index)];
      const row = this.#touched[Number(index)];
      if (kind === 's' && list !== undefined) this.#reads.correctList(list.space);
      if (kind === 'r' && row !== undefined) this.#reads.correctRow(row.space, row.key, stored);
    }
  }

  /** Keeps written rows for later reads; `before` are the earlier versions of spaces. */
  #remember([first = '0', ...before]: readonly string[]): void {
    const written = this.#touched
      .filter(({ kind }) => kind !== 'read')
      .map((each, place) => ({ ...each, version: Number(first) + place }));
    for (const [place, { space }] of this.#reads.spaces.entries()) {
      const here = written.filter((each) => each.space.name === space.name);
      const last = here.at(-1);
      if (last === undefined) continue;
      const rows = here.map(({ key, row, kind, expiry, json, version }) => {
        const created = kind === 'new' ? String(version) : row.created;
        const stored = new StoredRow(String(version), created, expiry, json);
        return [key, kind === 'delete' ? noRow : stored] as const;
      });
      const id = idOf(this.#name, space);
      this.#store.known.written(id, new Map(rows), Number(before[place]), last.version);
    }
  }
}

/** In the order of the script: rows that create keys are last. */
function touchedBy({ spaces }: OptimisticReads, made: Overlay): readonly Touched[] {
  const rows = new Map(spaces.map(({ space, rows }) => [space.name, new Map(rows)]));
  const written = made.writes().map(({ space, key, value, expiresAtMs, isNew, json }): Touched => {
    const row = rows.get(space.name)?.get(key) ?? noRow;
    rows.get(space.name)?.delete(key);
    if (value === undefined) {
      return { space, key, row, kind: row === noRow ? 'read' : 'delete', expiry: '-', json: '' };
    }
    const expiry = Number.isFinite(expiresAtMs) ? String(expiresAtMs) : '-';
    const text = json ?? JSON.stringify(value);
    return { space, key, row, kind: isNew ? 'new' : 'write', expiry, json: text };
  });
  const read = spaces.flatMap(({ space }) =>
    [...(rows.get(space.name) ?? [])].map(
      ([key, row]): Touched => ({ space, key, row, kind: 'read', expiry: '-', json: '' }),
    ),
  );
  return [...read, ...written];
}
