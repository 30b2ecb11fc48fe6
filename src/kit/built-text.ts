/**
 * Reads texts from the build, because they are expensive and equal for all services with default
 * settings.
 */

import { isBuilt } from '#base/package/package-files.js';
import { readGroup } from '#base/package/read-group.js';

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
  const built = isBuilt
    ? await readBuilt(`dist/texts/${group}.br`, `${variant}/${name}`)
    : undefined;
  return Buffer.from(built ?? (await make()));
}

async function readBuilt(path: string, name: string): Promise<Buffer | undefined> {
  try {
    return (await readGroup(path)).get(name);
  } catch {
    return undefined;
  }
}
