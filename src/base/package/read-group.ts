/** Files of the package that the build compresses together, because they are alike: `scripts/write-group.js`. */

import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { loadPackageFile } from './package-files.js';

/** By name. They share one block of memory, so a part that is kept must be copied. */
export type Group = ReadonlyMap<string, Buffer>;

/** Reads a group, which begins with a line of JSON: the name and the bytes of each part, in order. */
export async function readGroup(path: string): Promise<Group> {
  const whole = await promisify(brotliDecompress)(await loadPackageFile(path));
  let start = whole.indexOf('\n') + 1;
  const parts: [name: string, bytes: number][] = JSON.parse(whole.toString('utf8', 0, start));
  return new Map(
    parts.map(([name, bytes]) => {
      start += bytes;
      return [name, whole.subarray(start - bytes, start)];
    }),
  );
}
