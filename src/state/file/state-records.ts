/**
 * Copied sandboxes as records: lines with a kind and an array of JSON. The bytes of an entry of a log follow its line. The
 * kinds and the arrays are the methods of {@link MemoryRestorer} and their parameters.
 */

import type { CopiedSandbox } from '../memory/memory-changes.js';
import type { MemoryRestorer } from '../memory/memory-restorer.js';
import type { MemoryState } from '../memory/memory-state.js';
import { storedJson } from '../rows/written-row.js';

export interface StateRecord {
  readonly line: string;
  readonly bytes?: Buffer;
}

const kinds = ['sandbox', 'space', 'entry', 'log', 'logEntry'] as const;
type Kind = (typeof kinds)[number];

export function* recordsOf(
  copies: Iterable<CopiedSandbox>,
  isFindable: MemoryState['isFindable'],
): Generator<StateRecord> {
  for (const { head, spaces } of copies) {
    const { name, holder, createdAtMs, lastUsedAtMs, clockOffsetMs } = head;
    yield recordOf('sandbox', [name, holder, createdAtMs, lastUsedAtMs, clockOffsetMs]);
    for (const [spaceName, entries] of spaces) {
      yield recordOf('space', [spaceName, isFindable(spaceName)]);
      for (const { key, value, expiresAtMs, bytes, log } of entries) {
        const expiry = Number.isFinite(expiresAtMs) ? expiresAtMs : null;
        yield {
          line: `entry [${JSON.stringify(key)},${expiry},${bytes},${storedJson(value)}]\n`,
        };
        if (log === undefined) continue;
        yield recordOf('log', [log.lastSequence, log.clearedSequence]);
        for (const { sequence, age, itemLength, page, start, length } of log.entries) {
          yield {
            ...recordOf('logEntry', [sequence, age, itemLength, length]),
            bytes: page.room.subarray(start, start + length),
          };
        }
      }
    }
  }
}

function recordOf(kind: Kind, values: readonly unknown[]): StateRecord {
  return { line: `${kind} ${JSON.stringify(values)}\n` };
}

/** Restores whole records. Throws if they have another form. */
export function restoreRecords(records: Buffer, restorer: MemoryRestorer): void {
  let offset = 0;
  while (offset < records.length) {
    const end = records.indexOf('\n', offset);
    const line = records.toString('utf8', offset, end);
    offset = end + 1;
    const space = line.indexOf(' ');
    const kind = kinds.find((each) => each === line.slice(0, space));
    if (end < 0 || kind === undefined) throw new Error('No kind of record.');
    const values = JSON.parse(line.slice(space)) as unknown[];
    if (kind === 'logEntry') {
      const start = offset;
      offset += Number(values.pop());
      values.push(records.subarray(start, offset));
    }
    (restorer[kind] as (...values: unknown[]) => void).apply(restorer, values);
  }
}
