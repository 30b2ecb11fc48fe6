/** Texts that the build writes, since they are the same for every service with usual settings and expensive to make. */

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Beside the bundled service. Beside the source is no such folder: a service started from it makes its texts. */
const folder = new URL('texts/', import.meta.url);

/**
 * Reads `name` as the build wrote it for this variant of the service (see `src/config/variant.ts`), or else makes it.
 * The built text has `placeholderHost` for the host, and so must the made one.
 */
export async function builtText(
  variant: string,
  name: string,
  make: () => Promise<string>,
): Promise<Buffer> {
  try {
    const compressed = await readFile(new URL(`${variant}/${name}.br`, folder));
    return await promisify(brotliDecompress)(compressed);
  } catch {
    return Buffer.from(await make());
  }
}
