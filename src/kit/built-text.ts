/**
 * Reads texts from the build, because they are expensive and equal for all services with default
 * settings.
 */

import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { isBuilt, loadPackageFile } from '#base/package/package-files.js';

/**
 * Reads the text of a variant (`src/config/variant.ts`), or makes it. Both contain
 * `placeholderHost` as the host. Texts of one group are alike, so the build compresses them
 * together, in a quarter of the bytes: `scripts/build-texts.js`.
 */
export async function builtText(
  variant: string,
  group: string,
  name: string,
  make: () => Promise<string>,
): Promise<Buffer> {
  // A service that starts from source has none that fit it.
  if (!isBuilt) return Buffer.from(await make());
  try {
    const compressed = await loadPackageFile(`dist/texts/${group}.br`);
    const whole = await promisify(brotliDecompress)(compressed);
    return Buffer.from(partOf(whole, `${variant}/${name}`));
  } catch {
    return Buffer.from(await make());
  }
}

/** Reads a part of a group, which begins with a line of JSON: the name and the bytes of each part, in order. */
function partOf(whole: Buffer, wanted: string): Buffer {
  let start = whole.indexOf('\n') + 1;
  const parts: [name: string, bytes: number][] = JSON.parse(whole.toString('utf8', 0, start));
  for (const [name, bytes] of parts) {
    if (name === wanted) return whole.subarray(start, start + bytes);
    start += bytes;
  }
  throw new Error(`There is no built text ${wanted}.`);
}
