/**
 * Reads texts from the build, because they are expensive and equal for all services with default
 * settings.
 */

import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { isBuilt, loadPackageFile } from '#base/package/package-files.js';

/**
 * Reads the text of a variant (`src/config/variant.ts`), or makes it. Both contain
 * `placeholderHost` as the host.
 */
export async function builtText(
  variant: string,
  name: string,
  make: () => Promise<string>,
): Promise<Buffer> {
  // A service that starts from source has none that fit it.
  if (!isBuilt) return Buffer.from(await make());
  try {
    const compressed = await loadPackageFile(`dist/texts/${variant}/${name}.br`);
    return await promisify(brotliDecompress)(compressed);
  } catch {
    return Buffer.from(await make());
  }
}
