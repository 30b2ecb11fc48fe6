import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const onlyOwner = 0o600;

/**
 * Replaces a file as a whole: readers, also after a crash, see the old contents or the new ones. `last` is called before
 * the old file is replaced, and may throw.
 */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  last: () => Promise<void>,
): Promise<void> {
  const temporary = `${path}.tmp`;
  await rm(temporary, { force: true });
  try {
    // In a folder that others can write to, a link of this name must not be followed.
    const file = await open(temporary, 'wx', onlyOwner);
    try {
      for await (const piece of pieces) await file.appendFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await last();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Windows cannot, and needs no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
