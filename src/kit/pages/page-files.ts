/** Files in `dist/pages/` and `dist/guides/`, which the build writes for browsers. */

import { extname } from 'node:path';
import { lazily } from '#base/lazily.js';
import { loadPackageFile, namesInPackage } from '#base/package/package-files.js';
import { readGroup } from '#base/package/read-group.js';
import { whileInMemory } from '#base/package/while-in-memory.js';
import { type Content, contentOf } from '#http/caching/content.js';
import { HttpError } from '#http/http-error.js';

const directory = 'dist/pages/';
const guides = 'dist/guides/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Only file names from the build are read, each on first use. */
const assets = lazily(
  () =>
    new Map(
      namesInPackage(`${directory}assets/`).map((name) => [name, lazily(() => readAsset(name))]),
    ),
);

export function contentTypeOf(name: string): string {
  return contentTypes[extname(name)] ?? 'application/octet-stream';
}

/** Loads an asset by file name on first use; returns `undefined` if the build has none. */
export async function loadAsset(name: string): Promise<Content | undefined> {
  const load = (await whenBuilt(async () => assets())).get(name);
  return load?.();
}

async function readAsset(name: string): Promise<Content> {
  return contentOf(await readBuiltFile(`assets/${name}`), contentTypeOf(name));
}

/** Reads a built file. `path` must come from the service, never from a caller. */
export function readBuiltFile(path: string): Promise<Buffer> {
  return whenBuilt(() => loadPackageFile(`${directory}${path}`));
}

/** Pages, Markdown and the search index, which have most in common. */
const guideTexts = whileInMemory(() => readGroup(`${guides}guides.br`));

/** Reads a built file of the guides: one of their texts, or an image. */
export function readGuideFile(path: string): Promise<Buffer> {
  return whenBuilt(async () => {
    const text = (await guideTexts()).get(path);
    return text === undefined ? loadPackageFile(`${guides}${path}`) : Buffer.from(text);
  });
}

async function whenBuilt<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new HttpError(500, 'The pages of this service have not been built. Run npm run build.');
  }
}
