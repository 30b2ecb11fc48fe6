import type { Moment, Sandbox } from '#state/state.js';

/** A pupil of a class, who acts by a path with a secret. */
export interface Pupil {
  readonly sandbox: Sandbox;
  /** Name of the owner of the class, for whose share everything counts that the pupil holds. */
  readonly owner: string;
  /** Nothing that the pupil does counts. */
  readonly isFrozen: boolean;
}

/** Finds the pupil of a secret path, whose sandbox is read in a moment. */
export type FindPupil = (secret: string, moment?: Moment) => Promise<Pupil | undefined>;
