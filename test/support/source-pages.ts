/**
 * Replaces `src/kit/pages/page-files.ts` in tests in memory, which have no build. Pages are the sources in
 * `pages/` with their common parts filled in, and there are no assets.
 */

import { readFile } from 'node:fs/promises';
import { fillCommonParts } from '../../scripts/page-parts.js';
import type * as built from '../../src/kit/pages/page-files.js';

export { contentTypeOf, readGuideFile } from '../../src/kit/pages/page-files.js';

export const loadAsset: typeof built.loadAsset = async () => undefined;

export const readBuiltFile: typeof built.readBuiltFile = async (path) => {
  const source = await readFile(new URL(`../../pages/${path}`, import.meta.url));
  const [name = ''] = path.split('/');
  return path.endsWith('.html') ? Buffer.from(fillCommonParts(String(source), name)) : source;
};
