/** Changes of the lists of tools and prompts in a sandbox, and of resources that are not records. */

import type { LogSpace, Sandbox, Space } from '#state/state.js';

export type ListChange =
  | { readonly kind: 'tools' | 'prompts' }
  | { readonly kind: 'resource'; readonly uri: string };

/** One log, under the key {@link changesKey}. */
export const listChanges: LogSpace<true, ListChange> = {
  name: 'mcp-list-changes',
  maxKeys: 1,
  maxEntries: 100,
  isAlwaysThere: true,
};

export const changesKey = 'changes';

type ExtraList = 'tools' | 'prompts';

/** The lists that have their extra entry. */
const extras: Space<true> = { name: 'mcp-extras', maxKeys: 2 };

export function noteListChange(sandbox: Sandbox, change: ListChange): Promise<void> | void {
  return sandbox.transact((view) => view.append(listChanges, changesKey, change, ''));
}

/** Adds the extra entry of a list, or removes it. */
export async function toggleExtra(sandbox: Sandbox, list: ExtraList): Promise<void> {
  await sandbox.transact((view) => {
    const isThere = view.read(extras, list) === true;
    view.write(extras, list, isThere ? undefined : true);
    view.append(listChanges, changesKey, { kind: list }, '');
  });
}

export async function hasExtra(sandbox: Sandbox, list: ExtraList): Promise<boolean> {
  return (await sandbox.read(extras, list)) === true;
}
