/** Folders for files of states, and the first line of such a file. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Returns paths in a folder that is removed after the tests of the file. */
export function useFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-state-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Returns when the contents of the file were the state; `undefined` for an empty file. */
export function stateTimeOf(path: string): number | undefined {
  const [, about] = /^practice-api-state \d+ (.+)\n/.exec(readFileSync(path, 'latin1')) ?? [];
  return about && JSON.parse(about).atMs;
}
