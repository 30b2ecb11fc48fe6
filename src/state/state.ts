/**
 * Everything that changes while the service runs, behind one interface, so that rules can be pure
 * functions written once and run over memory or over a shared store.
 */

/** A value now, or a promise of it: the in-memory state answers at once, a shared one later. */
export type Awaitable<T> = T | Promise<T>;

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

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
  /** Only carries the type of the values; never set. */
  readonly valueType?: Value;
}

/** What a change makes of a value: the new value (`undefined` deletes the key) and an answer. */
export interface Change<Value, Result> {
  readonly value: Value | undefined;
  /** From this time on (by the sandbox's clock) the value counts as absent. Never, when left out. */
  readonly expiresAtMs?: number;
  readonly result: Result;
}

/** The isolated copy of all state that one caller sees. */
export interface Sandbox {
  /** Empty for the shared sandbox. */
  readonly name: string;

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

  /** Every unexpired key of a space with its value, the first created first. */
  entries<Value>(space: Space<Value>): Awaitable<readonly (readonly [key: string, value: Value])[]>;
}

export interface State {
  /** The sandbox of that name; it costs nothing until something is written to it. */
  sandbox(name: string): Sandbox;
  /** Whether the state can be read and written right now. */
  isReady(): Awaitable<boolean>;
  /** Releases what the state holds; it is not used afterwards. */
  close(): Awaitable<void>;
}

/** The name of the sandbox that callers who name none share. */
export const sharedSandboxName = '';

/** A bound in number was reached and nothing may be evicted to make room. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError';
}
