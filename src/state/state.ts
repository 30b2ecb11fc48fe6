/**
 * Everything that changes while the service runs, behind one interface, so that rules can be pure
 * functions written once and run over memory or over a shared store.
 */

import type { Awaitable } from '../base/awaitable.js';

/**
 * One kind of thing the state holds, such as rate windows or refresh families. `Value` must survive
 * JSON, because a shared store keeps it as text.
 */
export interface Space<Value> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /**
   * At most this many keys per sandbox; one more evicts the key that was created first. An expired
   * key may count until it is swept.
   */
  readonly maxKeys: number;
  /** One more throws a {@link CapacityError} instead: what is there must not go for newcomers. */
  readonly isKeptWhenFull?: true;
  /** What that error says, in place of the name of the space. */
  readonly fullMessage?: string;
  /**
   * Keys of this space are unique in the whole state, because they are long and random, and
   * {@link State.sandboxHolding} finds the sandbox that has one.
   */
  readonly isFindable?: true;
  /** Only carries the type of the values; never set. */
  readonly valueType?: Value;
}

/**
 * A space whose keys each carry a log beside their value. The log comes and goes with the key:
 * deletion, expiry and eviction of the key take its log along.
 */
export interface LogSpace<Value, Item> extends Space<Value> {
  /** At most this many entries per log; one more drops the oldest. */
  readonly maxEntries: number;
  /**
   * Without its key, the log counts as there and empty: {@link Transaction.append} creates the key. Where its
   * sequences begin is higher than any that a log of this key ever had, so that none means two things.
   */
  readonly isAlwaysThere?: true;
  /** Only carries the type of the items; never set. */
  readonly itemType?: Item;
}

export interface LogEntry<Item> {
  /** The place in the log: grows from entry to entry, and no two entries of one key share it. */
  readonly sequence: number;
  readonly item: Item;
  /** Do not mutate them. */
  readonly bytes: Buffer;
}

export interface LogStatus {
  /** How many entries the log holds. */
  readonly size: number;
  /** Where the last entry or emptying took place; 0 before the first. */
  readonly lastSequence: number;
  /** Where the last emptying took place; 0 before the first. */
  readonly clearedSequence: number;
}

/**
 * The capped list of one key, for what is large and comes often: adding to it costs the same however
 * full it is. Items must survive JSON; the bytes beside one are kept as they are.
 *
 * All logs of a state together hold a bounded number of bytes. When an entry exceeds the bound, the
 * oldest entries of the holder with most make room for it: of an account, or of the sandbox with most of a caller
 * without one.
 */
export interface Log<Item> {
  /** Adds an entry and returns its sequence; `undefined`, adding nothing, when the key is absent. */
  append(item: Item, bytes: Uint8Array): Awaitable<number | undefined>;

  /** `undefined` when the key is absent. */
  status(): Awaitable<LogStatus | undefined>;

  /** At most `limit` entries, the newest first; none when the key is absent. */
  newest(limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** At most `limit` entries beyond `sequence`, the oldest first; none when the key is absent. */
  after(sequence: number, limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** At most `limit` entries below `sequence`, the newest first; none when the key is absent. */
  before(sequence: number, limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** Drops all entries, and says whether the key exists. Takes a sequence of its own. */
  clear(): Awaitable<boolean>;

  /** Drops one entry, and says whether it was there. Takes no sequence: nobody who waits hears of it. */
  remove(sequence: number): Awaitable<boolean>;

  /**
   * Resolves once the log has gone beyond `sequence` by an entry or an emptying, or its key is gone,
   * or `signal` is aborted; at once when that is so already. Never rejects. A log that is always there is gone
   * for who waits past an entry that it had, and not for who waits past 0.
   */
  waitPast(sequence: number, signal: AbortSignal): Promise<void>;
}

/** What a change makes of a value: the new value (`undefined` deletes the key) and an answer. */
export interface Change<Value, Result> {
  readonly value: Value | undefined;
  /** From this time on (by the sandbox's clock) the value counts as absent. Never, when left out. */
  readonly expiresAtMs?: number;
  /** How many bytes the value takes, where that is known at once; it is measured otherwise. */
  readonly bytes?: number;
  readonly result: Result;
}

export interface WriteOptions {
  /** From this time on (by the sandbox's clock) the value counts as absent. Never, when left out. */
  readonly expiresAtMs?: number;
  /** How many bytes the value takes, where that is known at once; it is measured otherwise. */
  readonly bytes?: number | undefined;
  /** The value as JSON, where that is known. */
  readonly json?: string | undefined;
}

/** A sandbox at one moment, and what is made of it; not used after the function that was given it. */
export interface Transaction {
  /** The sandbox's time. */
  readonly nowMs: number;

  /** What the transaction has written itself, or else as {@link Sandbox.read}. */
  read<Value>(space: Space<Value>, key: string): Value | undefined;

  /** As {@link Sandbox.entries}. In a shared store it makes the transaction wait for all who write to the space. */
  entries<Value>(space: Space<Value>): readonly (readonly [key: string, value: Value])[];

  /**
   * Writes a value, or deletes the key when there is none. Throws a {@link CapacityError} when the space is full
   * and its keys stay. Other spaces evict when all is written, the keys that were there first.
   */
  write<Value>(
    space: Space<Value>,
    key: string,
    value: Value | undefined,
    options?: WriteOptions,
  ): void;

  /** Appends an entry, whose bytes are those of the text, to a log that is always there. */
  append<Item>(log: LogSpace<true, Item>, key: string, item: Item, text: string): void;
}

/** What is known of a sandbox that was written to. */
export interface SandboxStatus {
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  /** How far its clock is ahead of the real one. */
  readonly clockOffsetMs: number;
}

/**
 * How many sandboxes there may be beside the {@link permanentSandboxes}, and what they may hold.
 *
 * Bytes are those that keys and values take in memory, counted before they are stored. Beyond a bound that
 * all share, the {@link holderOf holder} with most loses a sandbox first: an account the least recently used one; a
 * caller without an account the least recently used one where there are too many, and the largest where they hold too
 * much. A holder of no more than `maxBytes / maxSandboxes` never loses any to others, nor does an account its only
 * sandbox. A write is refused with {@link StateFullError} when its own sandbox would be the next to go.
 *
 * A shared store may hand out room in {@link stepBytes} or sixteenths of what is held, and note uses by the
 * sixteenth of `idleMs`: what is reported can be so much more than what is held, and which of two idle
 * sandboxes goes first can differ by that time.
 */
export interface SandboxLimits {
  /** One more drops one of the holder that has most; where all have one, one unused for long. */
  readonly maxSandboxes: number;
  /** Unused for this long, a sandbox is dropped. */
  readonly idleMs: number;
  /** What they may take together. */
  readonly maxBytes: number;
  /** How many one account may have; one more drops one of its own, unused for long. */
  readonly maxSandboxesPerOwner: number;
  /**
   * What those of one account may take, of which its own are dropped; also what one sandbox may take, the shared
   * one too. A write that goes beyond it throws a {@link CapacityError}.
   */
  readonly maxBytesPerOwner: number;
}

/** In what steps a store may hand out room: a 32nd of the share that each sandbox is sure of. */
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
  /** Empty for the shared sandbox; see {@link ownedSandboxName} for those of an owner. */
  readonly name: string;

  /** The owner of what its caller takes of scarce things; see {@link holderOf}. */
  caller(): string;

  /** This sandbox's time in milliseconds since the Unix epoch. */
  now(): Awaitable<number>;

  /** The value under a key, or `undefined` when there is none or it has expired. Do not mutate it. */
  read<Value>(space: Space<Value>, key: string): Awaitable<Value | undefined>;

  /**
   * Reads, changes and writes one value as a single step: of simultaneous updates of one key each
   * sees the outcome of the one before. `change` must be pure, since a shared store may run it more
   * than once; it must return new objects rather than mutate `current`. When it throws, nothing
   * changes and the error reaches the caller. A value keeps its place in the order of creation until
   * it is deleted or expires.
   */
  update<Value, Result>(
    space: Space<Value>,
    key: string,
    change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
  ): Awaitable<Result>;

  /**
   * Carries out as one step whatever `change` writes, to any keys of any spaces, over what it read: nobody
   * sees a part of it, and nobody writes in between. As for an update, `change` must be pure, for it may be run
   * again, over what it finds then or over a guess; when it throws, nothing changes and the error reaches the caller.
   */
  transact<Result>(change: (view: Transaction) => Result): Awaitable<Result>;

  /**
   * Every unexpired key of a space with its value, the first created first. The same array as before while
   * the space stays as it is.
   */
  entries<Value>(space: Space<Value>): Awaitable<readonly (readonly [key: string, value: Value])[]>;

  /** The log that a key carries. The key itself is created and deleted by {@link Sandbox.update}. */
  log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item>;

  /** `undefined` while nothing was written to it. Times are those of the real clock. */
  status(): Awaitable<SandboxStatus | undefined>;

  /** Moves this sandbox's time away from the real one; counts as a write. */
  setClockOffset(offsetMs: number): Awaitable<void>;

  /** Forgets everything that was written, the clock's offset included. */
  reset(): Awaitable<void>;
}

/** How much a state holds. What nobody uses any more may count until it is swept. */
export interface StateSizes {
  /** Those that something was written to, the permanent ones included. */
  readonly sandboxes: number;
  /** What all sandboxes take with their keys and values; their logs come on top. */
  readonly valueBytes: number;
  /** The entries of all logs: the captured requests. */
  readonly logEntries: number;
  readonly logBytes: number;
}

export interface State {
  readonly limits: SandboxLimits;
  /**
   * The sandbox of that name; it costs nothing until something is written to it. A sandbox without an account belongs
   * to the caller whose write creates it; `caller` names that, such as by an address.
   */
  sandbox(name: string, caller?: () => string): Sandbox;
  /** Forgets everything that was written to any sandbox of an owner. */
  resetOwned(owner: string): Awaitable<void>;
  /** The sandbox that had this key of a findable space when it was last looked for: read the key there. */
  sandboxHolding(space: Space<unknown>, key: string): Awaitable<Sandbox | undefined>;
  /** Costs no more than there are sandboxes. */
  sizes(): Awaitable<StateSizes>;
  /** Whether the state can be read and written right now. */
  isReady(): Awaitable<boolean>;
  /** Releases what the state holds; it is not used afterwards. */
  close(): Awaitable<void>;
}

/** The name of the sandbox that callers who name none share. */
export const sharedSandboxName = '';

/**
 * The name of the sandbox of what the service itself remembers, such as accounts. No caller can ask
 * for it: names that callers choose have no `@`.
 */
export const serviceSandboxName = '@service';

/** They are not counted and never go. */
export const permanentSandboxes: readonly string[] = [sharedSandboxName, serviceSandboxName];

/**
 * The store behind the state cannot be reached, or refuses to write. What was asked for may or may not
 * have happened: an answer can be lost on its way.
 */
export class StateUnavailableError extends Error {
  override readonly name: string = 'StateUnavailableError';

  constructor(
    options?: ErrorOptions,
    message = 'The state of the service cannot be reached right now. Try again in a moment.',
  ) {
    super(message, options);
  }
}

/**
 * There is no room, and whoever wants it holds most, or all hold what they are sure of: nothing was
 * written, and nobody else loses anything for it.
 */
export class StateFullError extends StateUnavailableError {
  override readonly name = 'StateFullError';

  constructor() {
    super(
      undefined,
      'The service holds as much as it may, and nobody holds more than you would. Delete or reset something of yours, or try again later.',
    );
  }
}

/**
 * The name of a sandbox that belongs to an owner, such as an account, by the name that the owner
 * gave it; owners who name none get their own in place of the shared one. Owners have no slash.
 */
export function ownedSandboxName(owner: string, givenName: string): string {
  return `@${owner}/${givenName}`;
}

/** Whose sandbox it is by its name; `undefined` for one that anybody may use. */
export function ownerOf(sandboxName: string): string | undefined {
  if (!sandboxName.startsWith('@')) return undefined;
  const end = sandboxName.indexOf('/');
  return end < 0 ? undefined : sandboxName.slice(1, end);
}

/**
 * The holder of a sandbox when this caller creates it: an account, else the caller, else the sandbox itself. The names of
 * the three kinds differ, because names that callers choose have neither `@` nor `#`.
 */
export function holderOf(sandboxName: string, caller?: () => string): string {
  const owner = ownerOf(sandboxName);
  if (owner !== undefined) return `@${owner}`;
  return caller === undefined ? sandboxName : `#${caller()}`;
}

/** The name that callers gave to their sandbox. */
export function givenNameOf(sandboxName: string): string {
  return ownerOf(sandboxName) === undefined
    ? sandboxName
    : sandboxName.slice(sandboxName.indexOf('/') + 1);
}

/** A bound was reached and nothing may be evicted to make room. */
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
