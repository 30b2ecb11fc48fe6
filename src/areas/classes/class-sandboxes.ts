/** The sandboxes of a class: its board, and one for each pupil. They count for the owner of the class. */

import type { OwnedSandboxes } from '#state/owned-sandboxes.js';
import {
  boardName,
  classOwner,
  givenNameOf,
  type Moment,
  ownerOf,
  type Sandbox,
} from '#state/state.js';
import { type ClassRecord, classKey, classSpace } from './class-record.js';
import type { ClassServices } from './class-services.js';

type Owned = Pick<ClassRecord, 'id'> & Partial<Pick<ClassRecord, 'owner'>>;

export function boardOf(owned: OwnedSandboxes, { id, owner }: Owned): Sandbox {
  return owned.sandbox(classOwner(id), givenNameOf(boardName(id)), owner);
}

export function sandboxOfPupil(
  owned: OwnedSandboxes,
  { id, owner }: Owned,
  pupil: string,
  moment?: Moment,
): Sandbox {
  return owned.sandbox(classOwner(id), `pupil-${pupil}`, owner, moment);
}

/** Returns the class and the number of the pupil of a sandbox; `undefined` for other sandboxes. */
export function pupilOf({ name }: Pick<Sandbox, 'name'>) {
  const id = ownerOf(name)?.match(/^class-(.+)$/)?.[1];
  const pupil = givenNameOf(name).match(/^pupil-(\d+)$/)?.[1];
  return id === undefined || pupil === undefined ? undefined : { id, pupil };
}

/** Switches on the bugs of the class for a pupil who joins. */
export async function joinHunt(
  { owned, hunts }: Pick<ClassServices, 'owned' | 'hunts'>,
  board: Sandbox,
  pupil: string,
): Promise<void> {
  const record = await board.read(classSpace, classKey);
  const hunt = record?.hunt;
  if (hunts === undefined || record === undefined) return;
  if (hunt === undefined || hunt.endedAtMs !== undefined) return;
  await hunts.begin(sandboxOfPupil(owned, record, pupil), hunt);
}
