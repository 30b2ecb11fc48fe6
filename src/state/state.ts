/**
 * All state that changes while the service runs. Rules are pure functions over memory or a shared
 * store.
 */

import type { Awaitable } from '#base/awaitable.js';
import { accountOwner, type Owner } from '#base/shares/owner.js';

/**
 * A kind of values, such as rate windows. Values must survive JSON, because a shared store keeps
 * them as text.
 */
export interface Space<Value> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /**
   * A further key of a sandbox evicts the oldest key. An expired key may count until it is swept.
   */
  readonly maxKeys: number;
  /** A further key throws a {@link CapacityError} instead. */
  readonly isKeptWhenFull?: true;
  /** Message of that error. Default: it names the space. */
  readonly fullMessage?: string;
  /** Keys are long, random and unique in the whole state: {@link State.sandboxHolding} finds their sandboxes. */
  readonly isFindable?: true;
  readonly valueType?: Value;
}

/**
 * A space whose keys each have a log in addition to their value. The log ends with the key, for any
 * reason.
 */
export interface LogSpace<Value, Item> extends Space<Value> {
  /** A further entry of a log drops its oldest. */
  readonly maxEntries: number;
  /**
   * Without its key, the log counts as empty, and {@link Transaction.append} creates the key. Its
   * sequences begin above all sequences of earlier logs of this key.
   */
  readonly isAlwaysThere?: true;
  readonly itemType?: Item;
}

export interface LogEntry<Item> {
  /** Increases with each entry; unique among the entries of a key. */
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
 * The log of one key, to which an entry is added at constant cost. Items must survive JSON.
 *
 * All logs of a state together hold a limited number of bytes. Beyond it, the largest holder loses
 * its oldest entries: an account, or the fullest sandbox of a caller without one. Without its key,
 * a log has no entries.
 */
export interface Log<Item> {
  /** Returns the sequence of the new entry; `undefined`, adding nothing, without the key. */
  append(item: Item, bytes: Uint8Array): Awaitable<number | undefined>;

  /** Returns `undefined` without the key. */
  status(): Awaitable<LogStatus | undefined>;

  newest(limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** Returns entries after `sequence`, the oldest first. */
  after(sequence: number, limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /** Returns entries before `sequence`, the newest first. */
  before(sequence: number, limit: number): Awaitable<readonly LogEntry<Item>[]>;

  /**
   * Drops all entries, which increases the sequence as well, and returns whether the key exists.
   */
  clear(): Awaitable<boolean>;

  /** Drops one entry, and returns whether there was one. Waiting callers are not woken. */
  remove(sequence: number): Awaitable<boolean>;

  /**
   * Resolves once the log is beyond `sequence`, its key is deleted, or `signal` is aborted. Never
   * rejects. A log that always exists counts as deleted for a caller that waits past an entry that
   * it had, but not past 0.
   */
  waitPast(sequence: number, signal: AbortSignal): Promise<void>;
}

export interface WriteOptions {
  /** From this time of the sandbox's clock on, the value counts as absent. Default: never. */
  readonly expiresAtMs?: number;
  /** Bytes of the value, if known; otherwise they are measured. */
  readonly bytes?: number | undefined;
  /** The value as JSON, if known. */
  readonly json?: string | undefined;
}

/** Outcome of a change: the new value (`undefined` deletes the key) and a result. */
export interface Change<Value, Result> extends Omit<WriteOptions, 'json'> {
  readonly value: Value | undefined;
  readonly result: Result;
}

/** A sandbox at one moment. Must not be used after the function that received it returns. */
export interface Transaction {
  readonly nowMs: number;

  /** Also sees the transaction's own writes. */
  read<Value>(space: Space<Value>, key: string): Value | undefined;

  /**
   * Returns the entries like {@link Sandbox.entries}. In a shared store, the transaction then waits
   * for all writers of the space.
   */
  entries<Value>(space: Space<Value>): readonly (readonly [key: string, value: Value])[];

  /**
   * Writes a value; `undefined` deletes the key. Throws a {@link CapacityError} if the space is
   * full and never evicts. Other spaces evict their oldest keys after all writes.
   */
  write<Value>(
    space: Space<Value>,
    key: string,
    value: Value | undefined,
    options?: WriteOptions,
  ): void;

  /** Appends an entry with the bytes of a text to a log that always exists. */
  append<Item>(log: LogSpace<true, Item>, key: string, item: Item, text: string): void;
}

export interface SandboxStatus {
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  /** How far its clock is ahead of the real one. */
  readonly clockOffsetMs: number;
}

/**
 * Limits of sandboxes except the {@link permanentSandboxes}. Bytes are the size of keys and values
 * in memory, counted before they are stored.
 *
 * Beyond a common limit, the largest {@link holderOf holder} loses a sandbox, from the largest of its
 * {@link groupOf groups}. If there are too many, the group loses the least recently used one. If they
 * hold too much, an account's own group loses that one, and another group its largest. Boards of
 * classes are lost last. A holder of at most `maxBytes / maxSandboxes` loses nothing to others, and an
 * account keeps its only sandbox. A write throws {@link StateFullError} if its own sandbox would be
 * the next to drop.
 *
 * A shared store may assign room in {@link stepBytes} or sixteenths of the held bytes, and record
 * uses every sixteenth of `idleMs`.
 */
export interface SandboxLimits {
  readonly maxSandboxes: number;
  /** Time after which an unused sandbox is dropped. */
  readonly idleMs: number;
  readonly maxBytes: number;
  /** A further sandbox of an account drops its least recently used one. */
  readonly maxSandboxesPerOwner: number;
  /**
   * Limit of one account with its classes, which drops its own sandboxes; also of one sandbox, whose writes then
   * throw a {@link CapacityError}. The sandbox of a pupil has a quarter of it.
   */
  readonly maxBytesPerOwner: number;
}

/** Returns the steps in which a store may assign room: a 32nd of the share of each sandbox. */
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

/**
 * The time of a request until its response begins. In a shared store, the request may read a sandbox as it was at its
 * first read, with its own writes: whatever a caller knows when it sends a request is older.
 */
export interface Moment {
  readonly isOver: boolean;
  /** When the request last ended a wait, by `performance.now()`: what it read before is old. */
  readonly sinceMs: number;
}

/** The isolated copy of all state of one caller. */
export interface Sandbox {
  /** Empty for the shared sandbox; see {@link ownedSandboxName}. */
  readonly name: string;

  /** Returns the name of its owner, if it has one; see {@link holderOf}. */
  caller(): string;

  now(): Awaitable<number>;

  /**
   * Returns the value of a key; `undefined` without one, and after it has expired. Do not mutate
   * it.
   */
  read<Value>(space: Space<Value>, key: string): Awaitable<Value | undefined>;

  /**
   * Reads, changes and writes one value as a single step. `change` must be pure and return new
   * objects, because a shared store may run it again. If it throws, nothing changes. A value keeps
   * its place in the order of creation until it is deleted or expires.
   */
  update<Value, Result>(
    space: Space<Value>,
    key: string,
    change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
  ): Awaitable<Result>;

  /** Writes to any keys of any spaces as a single step. `change` must be pure, as for an update. */
  transact<Result>(change: (view: Transaction) => Result): Awaitable<Result>;

  /**
   * Returns all unexpired keys with their values in order of creation: the same array until one of
   * them changes.
   */
  entries<Value>(space: Space<Value>): Awaitable<readonly (readonly [key: string, value: Value])[]>;

  /** Returns the log of a key. {@link Sandbox.update} creates and deletes the key. */
  log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item>;

  /** Returns `undefined` before the first write. Times are by the real clock. */
  status(): Awaitable<SandboxStatus | undefined>;

  /** Sets the offset of this sandbox's clock from the real one; counts as a write. */
  setClockOffset(offsetMs: number): Awaitable<void>;

  /** Sets its clock to the real time, and deletes everything, except in these spaces. */
  reset(kept?: readonly Space<unknown>[]): Awaitable<void>;
}

/** Size of a state. Unused sandboxes may count until they are swept. */
export interface StateSizes {
  /** Sandboxes with writes, including the permanent ones. */
  readonly sandboxes: number;
  readonly valueBytes: number;
  readonly logEntries: number;
  readonly logBytes: number;
}

export interface State {
  readonly limits: SandboxLimits;
  /**
   * Returns the sandbox of a name, which costs nothing until it is written to. Without an account,
   * it belongs to the caller whose write creates it, and a sandbox of a class to the owner of the class; `caller` returns
   * the name of that {@link Owner}. Without a `moment`, each read sees all earlier writes.
   */
  sandbox(name: string, caller?: () => string, moment?: Moment): Sandbox;
  resetOwned(owner: string): Awaitable<void>;
  /** Returns the sandbox that last had this key of a findable space: read the key there. */
  sandboxHolding(space: Space<unknown>, key: string): Awaitable<Sandbox | undefined>;
  /** Its cost grows at most with the number of sandboxes. */
  sizes(): Awaitable<StateSizes>;
  isReady(): Awaitable<boolean>;
  close(): Awaitable<void>;
}

/** The sandbox of all callers that name none. */
export const sharedSandboxName = '';

/**
 * The sandbox of the service itself, such as for accounts. Callers cannot name it, because their
 * names have no `@`.
 */
export const serviceSandboxName = '@service';

/** Sandboxes that do not count, and are never dropped. */
export const permanentSandboxes: readonly string[] = [sharedSandboxName, serviceSandboxName];

/**
 * The store is unavailable, or rejects writes. A write may have happened, because its response can
 * be lost.
 */
export class StateUnavailableError extends Error {
  override readonly name: string = 'StateUnavailableError';

  constructor(
    options?: ErrorOptions,
    message = 'The state of the service is unavailable right now. Try again in a moment.',
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
      'The service is full, and you would hold the most. Delete or reset some of your data, or try again later.',
    );
  }
}

/** Returns the name of a sandbox of an owner, such as an account. Owners have no slash. */
export function ownedSandboxName(owner: string, givenName: string): string {
  return `@${owner}/${givenName}`;
}

/** Returns the owner of a sandbox by its name; `undefined` for a sandbox without an owner. */
export function ownerOf(sandboxName: string): string | undefined {
  const end = sandboxName.indexOf('/');
  return sandboxName.startsWith('@') && end > 0 ? sandboxName.slice(1, end) : undefined;
}

/**
 * Returns the holder of a sandbox that this caller creates: an account, else the caller, else the
 * sandbox itself. The holder of a class is its owner. Names that callers choose have neither `@` nor `#`.
 */
export function holderOf(sandboxName: string, caller?: () => string): string {
  const owner = ownerOf(sandboxName);
  if (owner !== undefined && !isOfClass(sandboxName)) return accountOwner(owner);
  return caller?.() ?? groupOf(sandboxName, sandboxName);
}

/** Returns the group in which a holder has a sandbox: its class, or else all other sandboxes of the holder. */
export function groupOf(sandboxName: string, holder: string): string {
  return isOfClass(sandboxName) ? sandboxName.slice(0, sandboxName.indexOf('/')) : holder;
}

/** Returns the owner for whose share the work of a sandbox counts. */
export function shareOf(sandbox: Pick<Sandbox, 'name' | 'caller'>): Owner {
  return { name: sandbox.caller(), part: isOfClass(sandbox.name) ? sandbox.name : '' };
}

export function givenNameOf(sandboxName: string): string {
  return ownerOf(sandboxName) === undefined
    ? sandboxName
    : sandboxName.slice(sandboxName.indexOf('/') + 1);
}

const ofClass = /^@class-/;
const board = 'board';

const dayMs = 24 * 60 * 60 * 1000;

/** Sandboxes of a class: one for each pupil, and one for the class itself. */
export const maxClassSandboxes = 201;

/** Sandboxes of a class outlast it, and so the pauses between its lessons. */
const classIdleMs = 31 * dayMs;

/** Returns the first part of names of sandboxes of a class. Ids of accounts do not begin like this. */
export const classOwner = (id: string): string => `class-${id}`;

export const boardName = (id: string): string => ownedSandboxName(classOwner(id), board);

/** Returns whether this is a sandbox of a pupil, or the board of a class. */
export function isOfClass(sandboxName: string): boolean {
  return ofClass.test(sandboxName);
}

/** Returns whether this is the board of a class, which loses its data last. */
export function isBoard(sandboxName: string): boolean {
  return isOfClass(sandboxName) && givenNameOf(sandboxName) === board;
}

/** Returns the time after which this sandbox is dropped if it is unused. */
export function idleMsOf({ idleMs }: SandboxLimits, sandboxName: string): number {
  return isOfClass(sandboxName) ? Math.max(idleMs, classIdleMs) : idleMs;
}

/** Returns how many sandboxes the group of an account or a class may have. */
export function maxSandboxesOf({ maxSandboxesPerOwner }: SandboxLimits, group: string): number {
  return isOfClass(group) ? maxClassSandboxes : maxSandboxesPerOwner;
}

/** A pupil cannot fill the share of the owner of the class. */
const pupilsPerShare = 4;

/** Returns how many bytes this sandbox may hold. */
export function maxBytesOf({ maxBytesPerOwner }: SandboxLimits, sandboxName: string): number {
  const isPupil = isOfClass(sandboxName) && !isBoard(sandboxName);
  return isPupil ? Math.floor(maxBytesPerOwner / pupilsPerShare) : maxBytesPerOwner;
}

/** A limit was reached, and nothing may be evicted. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError';
}

export function noRoom({ name, fullMessage }: Space<unknown>): CapacityError {
  return new CapacityError(fullMessage ?? `There is no room for more ${name}.`);
}

export function sandboxFull(limits: SandboxLimits, sandboxName: string): CapacityError {
  return new CapacityError(
    `This sandbox would hold more than ${inMebibytes(maxBytesOf(limits, sandboxName))}, the limit. Delete some of its data, or reset it.`,
  );
}

export function ownerFull({ maxBytesPerOwner }: SandboxLimits): CapacityError {
  return new CapacityError(
    `All sandboxes of the account, its classes included, would hold more than ${inMebibytes(maxBytesPerOwner)}, and this one the most. Delete some of its data, or reset it.`,
  );
}

function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / mebibyte)} MiB`;
}
