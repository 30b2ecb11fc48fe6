/** A folder outside of the repository, like the project of a reader. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Makes a folder in which programs find this package and all packages that are installed here, and removes it after use. */
export async function inReaderFolder<Result>(
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const outer = mkdtempSync(join(tmpdir(), 'practice-api-reader-'));
  try {
    const middle = join(outer, 'reader');
    const folder = join(middle, 'tests');
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(outer, 'node_modules'));
    link(root, join(outer, 'node_modules/practice-api'));
    link(new URL('node_modules', root), join(middle, 'node_modules'));
    link(new URL('test/node_modules', root), join(folder, 'node_modules'));
    return await use(folder);
  } finally {
    rmSync(outer, { recursive: true });
  }
}

function link(to: URL, from: string): void {
  symlinkSync(fileURLToPath(to), from);
}
