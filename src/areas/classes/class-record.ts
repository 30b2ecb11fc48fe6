/** The stored values of a class, in its own sandbox, which ends with it. */

import type { Shown } from '#base/text/redact.js';
import type { ClassHunt, HuntSummary } from '#kit/offers/hunts-of.js';
import type { LogSpace, Sandbox, Space, Transaction } from '#state/state.js';

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
  /** When the class last stopped being frozen; absent if it never was. */
  readonly thawedAtMs?: number;
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
  /** Without secrets; a request of an older version has none. */
  readonly query?: Shown;
  readonly status: number;
}

/** Hunts for bugs that the board shows. */
export interface Hunting {
  readonly hunts: readonly HuntSummary[];
  /** Wrong reports that the sandbox tells. */
  readonly wrongReports: number;
  /** Wrong reports before the pupil reset the sandbox. */
  readonly earlierWrongReports: number;
}

export interface PupilRecord {
  readonly name: string;
  /** Different for each pupil of the class; a pupil of an older version has none. */
  readonly label?: string;
  /** The 22 characters of the pupil's path. */
  readonly secret: string;
  /** Six letters and digits with which the pupil returns; a pupil of an older version has none. */
  readonly code?: string;
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
  /** Absent before the first hunt. */
  readonly hunting?: Hunting;
  /** Ids of the challenges that the pupil has started; a pupil of an older version has none. */
  readonly started?: readonly string[];
  readonly current?: Current;
}

/** The challenge that a pupil works on. */
export interface Current {
  readonly id: string;
  readonly missing: readonly string[];
  /** When the pupil began with it; another start of the same challenge does not change it. */
  readonly sinceMs?: number;
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

/** A full class reports the same, whichever table the state looks at first. */
const forEachPupil = {
  maxKeys: maxPupils,
  isKeptWhenFull: true,
  fullMessage: `The class has ${maxPupils} pupils, the limit.`,
} as const;

/** By the number of the pupil, in the order of joining. */
export const pupilsSpace: Space<PupilRecord> = { name: 'class-pupils', ...forEachPupil };

/** Numbers of pupils, by the hash of the secret of their path. */
export const pathsSpace: Space<string> = {
  name: 'class-paths',
  ...forEachPupil,
  isFindable: true,
};

/** Numbers of pupils, by the hash of the join code and their own code. */
export const pupilCodesSpace: Space<string> = {
  name: 'class-pupil-codes',
  ...forEachPupil,
  isFindable: true,
};

/** The labels of the pupils, in lower case. */
export const labelsSpace: Space<true> = {
  name: 'class-labels',
  ...forEachPupil,
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
