/** Names of the sandboxes of a class: one for the class itself, and one for each pupil. */

import type { OwnedSandboxes } from '../../kit/sandbox/owned-sandboxes.js';
import { classOwner, givenNameOf, ownerOf, type Sandbox } from '../../state/state.js';

export function boardOf(owned: OwnedSandboxes, id: string): Sandbox {
  return owned.sandbox(classOwner(id), 'board');
}

export function sandboxOfPupil(owned: OwnedSandboxes, id: string, pupil: string): Sandbox {
  return owned.sandbox(classOwner(id), `pupil-${pupil}`);
}

/** Returns the class and the number of the pupil of a sandbox; `undefined` for other sandboxes. */
export function pupilOf({ name }: Pick<Sandbox, 'name'>) {
  const id = ownerOf(name)?.match(/^class-(.+)$/)?.[1];
  const pupil = givenNameOf(name).match(/^pupil-(\d+)$/)?.[1];
  return id === undefined || pupil === undefined ? undefined : { id, pupil };
}
