/** What became of records since a token: one entry for each, whatever happened in between. */

import type { ChangeKind } from '../../../state/rows/change-feed.js';
import type { RecordId } from '../source/source.js';

interface RecordChange {
  readonly id: RecordId;
  readonly kind: ChangeKind;
}

/**
 * Returns the last change of each id, in their order. A record that was created and then updated counts as created:
 * the client has never seen it. One that was created and deleted counts as deleted.
 */
export function foldChanges<Change extends RecordChange>(changes: readonly Change[]): Change[] {
  const byId = new Map<RecordId, Change>();
  for (const change of changes) {
    const before = byId.get(change.id);
    byId.delete(change.id);
    const isStillNew = before?.kind === 'created' && change.kind === 'updated';
    byId.set(change.id, isStillNew ? { ...change, kind: 'created' } : change);
  }
  return [...byId.values()];
}

const form = /^c(0|[1-9]\d{0,15})$/;

/** A place among the changes as a caller keeps it. */
export function writeToken(sequence: number): string {
  return `c${sequence}`;
}

/** `undefined` for what is no token. */
export function parseToken(token: string): number | undefined {
  const sequence = Number(form.exec(token)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}
