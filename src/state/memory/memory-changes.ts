/** Copies all sandboxes of one moment, one after the other while they change. */

import type { Contents } from './memory-entries.js';
import type { CopiedLog, LogOwner } from './memory-log.js';

export type SandboxHead = Pick<
  Contents,
  'name' | 'holder' | 'createdAtMs' | 'lastUsedAtMs' | 'clockOffsetMs'
>;

/** Values are never mutated, so that the copy shares them. */
export interface CopiedEntry {
  readonly key: string;
  readonly value: unknown;
  readonly expiresAtMs: number;
  readonly bytes: number;
  readonly log: CopiedLog | undefined;
}

export interface CopiedSandbox {
  readonly head: SandboxHead;
  readonly spaces: readonly (readonly [name: string, entries: readonly CopiedEntry[]])[];
}

interface Uncopied {
  readonly contents: Contents;
  copy: CopiedSandbox | undefined;
}

export class MemoryChanges {
  /** Called before each change, and while sandboxes are used. */
  onChange: () => void = () => {};
  #uncopied: Map<LogOwner, Uncopied> | undefined;

  /** Copies the sandbox first if a copy of all still needs it unchanged. */
  before(changing: LogOwner): void {
    this.onChange();
    const needed = this.#uncopied?.get(changing);
    if (needed !== undefined) needed.copy ??= copyOf(needed.contents);
  }

  /** The copy is of this moment. A later call ends it. */
  copyAll(all: readonly Contents[]): Generator<CopiedSandbox> {
    const uncopied = new Map(
      all.map((contents): [LogOwner, Uncopied] => [contents, { contents, copy: undefined }]),
    );
    this.#uncopied = uncopied;
    return this.#copies(uncopied);
  }

  *#copies(uncopied: Map<LogOwner, Uncopied>): Generator<CopiedSandbox> {
    try {
      for (const { contents, copy } of uncopied.values()) {
        uncopied.delete(contents);
        yield copy ?? copyOf(contents);
      }
    } finally {
      if (this.#uncopied === uncopied) this.#uncopied = undefined;
    }
  }
}

function copyOf({ spaces, ...head }: Contents): CopiedSandbox {
  return {
    head,
    spaces: [...spaces].map(([name, entries]) => [
      name,
      Array.from(entries, ([key, { value, expiresAtMs, bytes, log }]) => ({
        ...{ key, value, expiresAtMs, bytes },
        log: log?.copy(),
      })),
    ]),
  };
}
