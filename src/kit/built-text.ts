/**
 * Reads texts from the build, because they are expensive and equal for all services with default
 * settings.
 */

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Next to the bundled service; a service that runs from source makes its texts. */
const folder = new URL('texts/', import.meta.url);

/**
 * Reads the text of a variant (`src/config/variant.ts`), or makes it. Both contain
 * `placeholderHost` as the host.
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
