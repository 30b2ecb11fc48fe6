/** The stored values of a class, in its own sandbox, which ends with it. */

import type { Shown } from '../../base/text/redact.js';
import type { ClassHunt } from '../../kit/offers/hunts-of.js';
import type { LogSpace, Sandbox, Space, Transaction } from '../../state/state.js';

export const maxPupils = 200;
export const maxMessages = 50;

const dayMs = 24 * 60 * 60 * 1000;

/** A class ends this long after its creation, by the real clock. */
export const lifeMs = 30 * dayMs;

/** The hunt for bugs that the teacher has started. */
export interface StartedHunt extends ClassHunt {
  readonly startedAtMs: number;
  /** Absent while it is on. */
  readonly endedAtMs?: number;
}

export interface ClassRecord {
  readonly id: string;
  /** Name of the owner; a class of an older version has none. */
  readonly owner?: string;
  readonly name: string;
  readonly joinCode: string;
  /** Hash of the teacher's key. */
  readonly keyHash: string;
  readonly createdAtMs: number;
  readonly endsAtMs: number;
  readonly isFrozen: boolean;
  readonly isRankingShown: boolean;
  /** Ids of challenges. */
  readonly assigned: readonly string[];
  /** The last one; absent if there was none. */
  readonly hunt?: StartedHunt;
  /** Number of the next pupil. */
  readonly nextPupil: number;
  /** Number of the next message. */
  readonly nextMessage: number;
}

export interface Solved {
  readonly atMs: number;
  /** Increases with each challenge that the class solves, on whichever replica. */
  readonly order: number;
}

export interface LastRequest {
  readonly atMs: number;
  readonly method: string;
  readonly path: Shown;
  readonly status: number;
}

export interface PupilRecord {
  readonly name: string;
  /** The 22 characters of the pupil's path. */
  readonly secret: string;
  readonly joinedAtMs: number;
  /** Hash of the address that the pupil joined from. */
  readonly from?: string;
  /** Whether the pupil has ever sent a request. */
  readonly isUsed?: boolean;
  readonly requests: number;
  readonly failures: number;
  readonly last?: LastRequest;
  /** By the id of the challenge. */
  readonly solved: Readonly<Record<string, Solved>>;
  /** Cost of the hints of each challenge, by its id. */
  readonly hintCosts: Readonly<Record<string, number>>;
  readonly current?: { readonly id: string; readonly missing: readonly string[] };
}

export interface Message {
  readonly id: number;
  readonly text: string;
  readonly atMs: number;
}

/** A pupil whose row changed, or the class itself. */
export interface Change {
  readonly pupil: string | null;
}

export const classSpace: Space<ClassRecord> = { name: 'class', maxKeys: 1 };
export const classKey = 'class';

/** By the join code. */
export const codesSpace: Space<true> = { name: 'class-codes', maxKeys: 1, isFindable: true };

/** By the number of the pupil, in the order of joining. */
export const pupilsSpace: Space<PupilRecord> = {
  name: 'class-pupils',
  maxKeys: maxPupils,
  isKeptWhenFull: true,
  fullMessage: `The class has ${maxPupils} pupils, the limit.`,
};

/** Numbers of pupils, by the hash of the secret of their path. */
export const pathsSpace: Space<string> = {
  name: 'class-paths',
  maxKeys: maxPupils,
  isKeptWhenFull: true,
  isFindable: true,
};

/** How many challenges the class has solved. */
export const solvesSpace: Space<number> = { name: 'class-solves', maxKeys: 1 };
export const solvesKey = 'count';

export const messagesSpace: Space<Message> = { name: 'class-messages', maxKeys: maxMessages };

const changesSpace: LogSpace<true, Change> = {
  name: 'class-changes',
  maxKeys: 1,
  maxEntries: 1000,
  isAlwaysThere: true,
};
const changesKey = 'changes';

export const changesOf = (board: Sandbox) => board.log(changesSpace, changesKey);

/** Tells readers of the board that a pupil, or the class, has changed. */
export function noteChange(view: Transaction, pupil: string | null): void {
  view.append(changesSpace, changesKey, { pupil }, '');
}
