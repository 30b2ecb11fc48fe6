/**
 * Many updates of one key as one: each sees the outcome of the one before, and the last outcome is what
 * is written.
 */

import type { CapacityError, Change } from '../state.js';

export interface Entry {
  readonly value: unknown;
  /** Infinity for never. */
  readonly expiresAtMs: number;
}

export interface WaitingUpdate {
  readonly change: (current: unknown, nowMs: number) => Change<unknown, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface FoldedUpdates {
  /** What to write: nothing when it stays as it is, `deleted`, or an entry. */
  readonly outcome: undefined | 'deleted' | Entry;
  /** Whether the entry takes no place that the key had, but a new one: there was none in between. */
  readonly isNew: boolean;
  /** Gives every update its own result, or the error that it threw; to be called once it is written. */
  readonly settle: () => void;
}

/**
 * Runs the changes in turn over what is there, which may have expired. `full` is what updates throw that
 * would add a key to a space that takes no more.
 */
export function foldUpdates(
  updates: readonly WaitingUpdate[],
  stored: Entry | undefined,
  nowMs: number,
  full?: CapacityError,
): FoldedUpdates {
  const settlements: (() => void)[] = [];
  let entry = stored;
  let isNew = false;
  for (const { change, resolve, reject } of updates) {
    try {
      const current = isLive(entry, nowMs) ? entry : undefined;
      const changed = change(current?.value, nowMs);
      if (changed.value === undefined) {
        entry = undefined;
      } else {
        if (current === undefined && full !== undefined) throw full;
        isNew ||= current === undefined;
        entry = entryOf(changed);
      }
      settlements.push(() => resolve(changed.result));
    } catch (error) {
      settlements.push(() => reject(error));
    }
  }
  return {
    outcome: outcomeOf(stored, entry, isNew),
    isNew,
    settle() {
      for (const settle of settlements) settle();
    },
  };
}

export function isLive(entry: Entry | undefined, nowMs: number): entry is Entry {
  return entry !== undefined && nowMs < entry.expiresAtMs;
}

function entryOf({ value, expiresAtMs }: Change<unknown, unknown>): Entry {
  return { value, expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY };
}

function outcomeOf(
  stored: Entry | undefined,
  entry: Entry | undefined,
  isNew: boolean,
): FoldedUpdates['outcome'] {
  if (entry === undefined) return stored === undefined ? undefined : 'deleted';
  const isSame =
    !isNew &&
    stored !== undefined &&
    entry.value === stored.value &&
    entry.expiresAtMs === stored.expiresAtMs;
  return isSame ? undefined : entry;
}
