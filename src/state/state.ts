/** Everything that changes while the service runs. Rules are pure functions over memory or a shared store. */

import type { Awaitable } from '../base/awaitable.js';

/** A kind of values, such as rate windows. They must survive JSON, because a shared store keeps them as text. */
export interface Space<Value> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /** One more key of a sandbox evicts the key that was created first. An expired key may count until it is swept. */
  readonly maxKeys: number;
  /** One more throws a {@link CapacityError} instead. */
  readonly isKeptWhenFull?: true;
  /** The message of that error; it names the space by default. */
  readonly fullMessage?: string;
  /** Keys are long, random and unique in the whole state: {@link State.sandboxHolding} finds their sandboxes. */
  readonly isFindable?: true;
  readonly valueType?: Value;
}

/** A space whose keys each carry a log beside their value. The log ends with the key, however that ends. */
export interface LogSpace<Value, Item> extends Space<Value> {
  /** One more entry of a log drops its oldest. */
  readonly maxEntries: number;
  /**
   * Without its key, the log counts as empty, and {@link Transaction.append} creates the key. Its sequences begin
   * above any that a log of this key ever had.
   */
  readonly isAlwaysThere?: true;
  readonly itemType?: Item;
}

export interface LogEntry<Item> {
  /** Grows from entry to entry; no two entries of a key have the same. */
  readonly sequence: number;
  readonly item: Item;
  /** Do not mutate them. */
  readonly bytes: Buffer;
}

export interface LogStatus {
  readonly size: number;
  /** The sequence of the last entry or clearing; 0 before the first. */
  readonly lastSequence: number;
  /** The sequence of the last clearing; 0 before the first. */
  readonly clearedSequence: number;
}

/**
 * The log of one key, to which an entry is added at the same cost however full it is. Items must survive JSON.
 *
 * All logs of a state together hold a bounded number of bytes. Beyond it, the holder with most loses its oldest
 * entries: an account, or the fullest sandbox of a caller without one. Without its key, a log has no entries.
 */
export interface Log<Item> {
  /** Returns the sequence of the new entry; `undefined`, adding nothing, without the key. */
  append(item: Item, bytes: Uint8Array): Awaitable<number | undefined>;

  /** `undefined` without the key. */
  status(): Awaitable<LogStatus | undefined>;

  newest(limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** Entries beyond `sequence`, the oldest first. */
  after(sequence: number, limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** Entries below `sequence`, the newest first. */
  before(sequence: number, limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** Drops all entries, which has a sequence as well, and returns whether the key exists. */
  clear(): Awaitable<boolean>;

  /** Drops one entry, and returns whether there was one. It wakes nothing that waits. */
  remove(sequence: number): Awaitable<boolean>;

  /**
   * Resolves once the log is beyond `sequence`, its key is gone, or `signal` is aborted. Never rejects. A log that is
   * always there is gone for a caller that waits past an entry that it had, and not past 0.
   */
  waitPast(sequence: number, signal: AbortSignal): Promise<void>;
}

export interface WriteOptions {
  /** From this time of the sandbox's clock on, the value counts as absent. Default: never. */
  readonly expiresAtMs?: number;
  /** The bytes of the value, where they are known; otherwise they are measured. */
  readonly bytes?: number | undefined;
  /** The value as JSON, where that is known. */
  readonly json?: string | undefined;
}

/** The outcome of a change: the new value (`undefined` deletes the key) and a result. */
export interface Change<Value, Result> extends Omit<WriteOptions, 'json'> {
  readonly value: Value | undefined;
  readonly result: Result;
}

/** A sandbox at one moment. Not used after the function that got it. */
export interface Transaction {
  readonly nowMs: number;

  /** Also sees what the transaction itself has written. */
  read<Value>(space: Space<Value>, key: string): Value | undefined;

  /** As {@link Sandbox.entries}. In a shared store, the transaction then waits for all writers of the space. */
  entries<Value>(space: Space<Value>): readonly (readonly [key: string, value: Value])[];

  /**
   * Writes a value; `undefined` deletes the key. Throws a {@link CapacityError} when the space is full and its keys
   * stay. Other spaces evict once all is written, the keys that were there first.
   */
  write<Value>(
    space: Space<Value>,
    key: string,
    value: Value | undefined,
    options?: WriteOptions,
  ): void;

  /** Appends an entry with the bytes of a text to a log that is always there. */
  append<Item>(log: LogSpace<true, Item>, key: string, item: Item, text: string): void;
}

export interface SandboxStatus {
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  /** How far its clock is ahead of the real one. */
  readonly clockOffsetMs: number;
}

/**
 * Limits of sandboxes beside the {@link permanentSandboxes}. Bytes are those of keys and values in memory, counted before
 * they are stored.
 *
 * Beyond a common limit, the {@link holderOf holder} with most loses a sandbox: an account the least recently used one;
 * other callers that one where there are too many, and their largest where they hold too much. Nobody loses anything to
 * others while holding `maxBytes / maxSandboxes` or less, and an account keeps its only sandbox. A write throws
 * {@link StateFullError} when its own sandbox would be the next to go.
 *
 * A shared store may give room in {@link stepBytes} or sixteenths of what is held, and note uses by the sixteenth of
 * `idleMs`.
 */
export interface SandboxLimits {
  readonly maxSandboxes: number;
  /** Unused for this long, a sandbox is dropped. */
  readonly idleMs: number;
  readonly maxBytes: number;
  /** One more of an account drops its least recently used one. */
  readonly maxSandboxesPerOwner: number;
  /** Of one account, which drops its own; also of one sandbox, whose writes then throw a {@link CapacityError}. */
  readonly maxBytesPerOwner: number;
}

/** Returns the steps in which a store may give room: a 32nd of the share of each sandbox. */
export function stepBytes({ maxSandboxes }: SandboxLimits, maxBytes: number): number {
  return Math.max(1, Math.floor(maxBytes / maxSandboxes / 32));
}

const mebibyte = 1024 * 1024;

export const defaultSandboxLimits: SandboxLimits = {
  maxSandboxes: 1000,
  idleMs: 60 * 60 * 1000,
  maxBytes: 128 * mebibyte,
  maxSandboxesPerOwner: 20,
  maxBytesPerOwner: 64 * mebibyte,
};

/** The isolated copy of all state that one caller sees. */
export interface Sandbox {
  /** Empty for the shared sandbox; see {@link ownedSandboxName}. */
  readonly name: string;

  /** See {@link holderOf}. */
  caller(): string;

  now(): Awaitable<number>;

  /** Returns the value under a key; `undefined` without one, and after it has expired. Do not mutate it. */
  read<Value>(space: Space<Value>, key: string): Awaitable<Value | undefined>;

  /**
   * Reads, changes and writes one value as a single step. `change` must be pure, because a shared store may run it again,
   * and return new objects. When it throws, nothing changes. A value keeps its place in the order of creation until it is
   * deleted or expires.
   */
  update<Value, Result>(
    space: Space<Value>,
    key: string,
    change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
  ): Awaitable<Result>;

  /** Writes to any keys of any spaces as a single step. `change` must be pure as for an update. */
  transact<Result>(change: (view: Transaction) => Result): Awaitable<Result>;

  /** Returns all unexpired keys with their values, the first created first: the same array until one of them changes. */
  entries<Value>(space: Space<Value>): Awaitable<readonly (readonly [key: string, value: Value])[]>;

  /** Returns the log of a key. {@link Sandbox.update} creates and deletes the key. */
  log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item>;

  /** `undefined` while nothing was written to it. Times are those of the real clock. */
  status(): Awaitable<SandboxStatus | undefined>;

  /** Moves this sandbox's time away from the real one; counts as a write. */
  setClockOffset(offsetMs: number): Awaitable<void>;

  reset(): Awaitable<void>;
}

/** The size of a state. What is no longer used may count until it is swept. */
export interface StateSizes {
  /** Sandboxes that were written to, with the permanent ones. */
  readonly sandboxes: number;
  readonly valueBytes: number;
  readonly logEntries: number;
  readonly logBytes: number;
}

export interface State {
  readonly limits: SandboxLimits;
  /**
   * Returns the sandbox of a name, which costs nothing until it is written to. Without an account, it belongs to the
   * caller whose write creates it; `caller` names that, such as by an address.
   */
  sandbox(name: string, caller?: () => string): Sandbox;
  resetOwned(owner: string): Awaitable<void>;
  /** Returns the sandbox that last had this key of a findable space: read the key there. */
  sandboxHolding(space: Space<unknown>, key: string): Awaitable<Sandbox | undefined>;
  /** Costs no more than there are sandboxes. */
  sizes(): Awaitable<StateSizes>;
  isReady(): Awaitable<boolean>;
  close(): Awaitable<void>;
}

/** The sandbox of all callers that name none. */
export const sharedSandboxName = '';

/** The sandbox of the service itself, such as of accounts. Callers cannot name it: their names have no `@`. */
export const serviceSandboxName = '@service';

/** They do not count, and are never dropped. */
export const permanentSandboxes: readonly string[] = [sharedSandboxName, serviceSandboxName];

/** The store cannot be reached, or rejects writes. A write may have happened: its response can be lost. */
export class StateUnavailableError extends Error {
  override readonly name: string = 'StateUnavailableError';

  constructor(
    options?: ErrorOptions,
    message = 'The state of the service cannot be reached right now. Try again in a moment.',
  ) {
    super(message, options);
  }
}

/** There is no room, and no other holder has more. Nothing was written. */
export class StateFullError extends StateUnavailableError {
  override readonly name = 'StateFullError';

  constructor() {
    super(
      undefined,
      'The service holds as much as it may, and nobody holds more than you would. Delete or reset something of yours, or try again later.',
    );
  }
}

/** Returns the name of a sandbox of an owner, such as an account. Owners have no slash. */
export function ownedSandboxName(owner: string, givenName: string): string {
  return `@${owner}/${givenName}`;
}

/** Returns the owner of a sandbox by its name; `undefined` for a sandbox that anybody may use. */
export function ownerOf(sandboxName: string): string | undefined {
  const end = sandboxName.indexOf('/');
  return sandboxName.startsWith('@') && end > 0 ? sandboxName.slice(1, end) : undefined;
}

/**
 * Returns the holder of a sandbox that this caller creates: an account, else the caller, else the sandbox itself. Names
 * that callers choose have neither `@` nor `#`.
 */
export function holderOf(sandboxName: string, caller?: () => string): string {
  const owner = ownerOf(sandboxName);
  if (owner !== undefined) return `@${owner}`;
  return caller === undefined ? sandboxName : `#${caller()}`;
}

export function givenNameOf(sandboxName: string): string {
  return ownerOf(sandboxName) === undefined
    ? sandboxName
    : sandboxName.slice(sandboxName.indexOf('/') + 1);
}

/** A limit was reached, and nothing may be evicted. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError';
}

export function noRoom({ name, fullMessage }: Space<unknown>): CapacityError {
  return new CapacityError(fullMessage ?? `There is no room for more ${name}.`);
}

export function sandboxFull({ maxBytesPerOwner }: SandboxLimits): CapacityError {
  const most = `${Math.floor(maxBytesPerOwner / mebibyte)} MiB`;
  return new CapacityError(
    `This sandbox would hold more than ${most}, the most it may. Delete something of it, or reset it.`,
  );
}
