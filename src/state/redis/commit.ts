/**
 * Transactions of one sandbox, as many as wait, carried out as one: each runs over the outcome of those before, and
 * what all have made is written by one script, if what they relied on is still so.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Overlay, type Write } from '../rows/overlay.js';
import {
  CapacityError,
  type Space,
  StateFullError,
  StateUnavailableError,
  type Transaction,
} from '../state.js';
import { gather } from './batches.js';
import { Guesses, type Relied } from './guesses.js';
import { newRow, noRow, type Row } from './known-rows.js';
import type { Argument } from './redis-client.js';
import { packItem } from './redis-log.js';
import { flagsOf, idOf, type RedisStore } from './redis-store.js';

export interface WaitingTransaction {
  /** The holder of the sandbox if this transaction creates it. */
  readonly caller: () => string;
  readonly change: (view: Transaction) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** So many go together at most. */
const maxTogether = 100;

/** As many writers of the same rows as that may come first, before one gives up. */
const maxAttempts = 200;
/** From here on it pauses in between. */
const patientAttempts = 5;

/** Carries out what waits for a sandbox, until nothing does. */
export async function workOff(store: RedisStore, name: string): Promise<void> {
  const queue = store.waiting.get(name) ?? [];
  for (let before = 0; queue.length > 0; ) {
    await gather(before);
    const batch = queue.splice(0, maxTogether);
    before = batch.length;
    await settle(store, name, batch);
  }
  store.waiting.delete(name);
}

async function settle(
  store: RedisStore,
  name: string,
  batch: readonly WaitingTransaction[],
): Promise<void> {
  try {
    await commit(store, name, batch);
  } catch (error) {
    const isRejected = error instanceof CapacityError || error instanceof StateFullError;
    if (isRejected && batch.length > 1) {
      // Nothing was written; some of them may ask for less.
      for (const each of batch) await settle(store, name, [each]);
      return;
    }
    // Otherwise it is not known whether it was written, so nobody may try it again for the caller.
    for (const { reject } of batch) reject(error);
  }
}

async function commit(
  store: RedisStore,
  name: string,
  batch: readonly WaitingTransaction[],
): Promise<void> {
  const guesses = new Guesses(store, name);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (attempt > patientAttempts) await delay(Math.random() * Math.min(attempt, 20));
    guesses.begin();
    const made = new Overlay(guesses, guesses.nowMs);
    const settlements = batch.map((each) => run(each, made));
    if ((await guesses.load()) || !(await write(store, name, guesses, made, batch[0]?.caller)))
      continue;
    for (const settlement of settlements) settlement();
    return;
  }
  const cause = new Error(`${maxAttempts} writers of ${name} came first.`);
  throw new StateUnavailableError({ cause });
}

/** Lays what a transaction makes over what those before have made; how it ends is told later. */
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

/** A row that was relied on, and what is written in its place. */
interface Touched {
  readonly space: Space<unknown>;
  readonly key: string;
  readonly row: Row;
  readonly kind: 'read' | 'delete' | 'new' | 'write';
  readonly expiry: string;
  readonly json: string;
}

/** Says whether it was written; the guesses know more when it was not. */
async function write(
  store: RedisStore,
  name: string,
  guesses: Guesses,
  made: Overlay,
  caller: WaitingTransaction['caller'] | undefined,
): Promise<boolean> {
  const { relied } = guesses;
  const touched = touchedBy(relied, made.writes());
  const findable = touched.filter(({ kind, space }) => kind === 'new' && space.isFindable);
  await Promise.all(findable.map(({ space, key }) => store.setHolder(name, space, key)));
  const rows = [guesses.offsetMs, ...spaceWords(relied), ...rowWords(relied, touched)];
  const words = [...rows, ...appendWords(relied, touched, made)];
  const response = await store.askWithRoom(name, 'commit', words, caller);
  const [outcome, , ...rest] = response;
  if (outcome === 'full') {
    guesses.tellFree(rest[0] ?? '', Number(rest[1]));
  } else if (outcome === 'conflict') {
    for (let place = 1; place < rest.length; place += 3) {
      const [kind, index, stored = ''] = rest.slice(place, place + 3);
      if (kind === 's') guesses.tellSpace((relied[Number(index)] as Relied).space);
      const told = touched[Number(index)] as Touched;
      if (kind === 'r') guesses.tellRow(told.space, told.key, stored);
    }
  } else {
    remember(store, name, relied, touched, rest);
  }
  return outcome === 'written';
}

/** In the order in which the script carries them out: those that create keys are last. */
function touchedBy(relied: readonly Relied[], writes: readonly Write[]): readonly Touched[] {
  const rows = new Map(relied.map(({ space, rows }) => [space.name, new Map(rows)]));
  const written = writes.map(({ space, key, value, expiresAtMs, isNew, json }): Touched => {
    const row = rows.get(space.name)?.get(key) ?? noRow;
    rows.get(space.name)?.delete(key);
    const isAbsent = row === noRow;
    if (value === undefined) {
      return { space, key, row, kind: isAbsent ? 'read' : 'delete', expiry: '-', json: '' };
    }
    const expiry = Number.isFinite(expiresAtMs) ? String(expiresAtMs) : '-';
    const text = json ?? JSON.stringify(value);
    return { space, key, row, kind: isNew ? 'new' : 'write', expiry, json: text };
  });
  const read = relied.flatMap(({ space }) =>
    [...(rows.get(space.name) ?? [])].map(
      ([key, row]): Touched => ({ space, key, row, kind: 'read', expiry: '-', json: '' }),
    ),
  );
  return [...read, ...written];
}

function spaceWords(relied: readonly Relied[]): string[] {
  const words = relied.flatMap(({ space, version }) => [
    space.name,
    flagsOf(space),
    String(space.maxKeys),
    version === undefined ? '-' : String(version),
  ]);
  return [String(relied.length), ...words];
}

function rowWords(relied: readonly Relied[], touched: readonly Touched[]): string[] {
  const places = new Map(relied.map(({ space }, place) => [space.name, String(place)]));
  const words = touched.flatMap(({ space, key, row, kind, expiry, json }) => [
    places.get(space.name) ?? '',
    key,
    row.version,
    kind.charAt(0),
    ...(kind === 'new' || kind === 'write' ? [expiry, json] : []),
  ]);
  return [String(touched.length), ...words];
}

/** What is both written and told is sent once. */
function appendWords(
  relied: readonly Relied[],
  touched: readonly Touched[],
  { appends }: Overlay,
): Argument[] {
  const places = new Map(relied.map(({ space }, place) => [space.name, String(place)]));
  const sources = new Map(touched.map(({ json }, place) => [json, String(place)]));
  const words = appends.flatMap(({ space, key, item, text }) => {
    const source = sources.get(text);
    return [
      places.get(space.name) ?? '',
      key,
      String(space.maxEntries),
      packItem(item),
      ...(source === undefined ? ['-', text] : [source]),
    ];
  });
  return [String(appends.length), ...words];
}

function remember(
  store: RedisStore,
  name: string,
  relied: readonly Relied[],
  touched: readonly Touched[],
  [first = '0', ...before]: readonly string[],
): void {
  let sequence = Number(first);
  const versions = new Map<string, number>();
  const written = new Map<string, Map<string, Row>>();
  for (const { space, key, row, kind, expiry, json } of touched) {
    if (kind === 'read') continue;
    const version = String(sequence);
    const created = kind === 'new' ? version : row.created;
    const rows = written.get(space.name) ?? new Map<string, Row>();
    written.set(space.name, rows);
    rows.set(key, kind === 'delete' ? noRow : newRow(version, created, expiry, json));
    versions.set(space.name, sequence);
    sequence += 1;
  }
  for (const [place, { space }] of relied.entries()) {
    const rows = written.get(space.name);
    const version = versions.get(space.name);
    if (rows === undefined || version === undefined) continue;
    store.known.written(idOf(name, space), rows, Number(before[place]), version);
  }
}
