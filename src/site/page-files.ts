/** The files in `dist/pages/` and `dist/guides/`, where the build puts what browsers load. */

import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { packageFolder } from '../base/package-folder.js';
import { type Content, contentOf } from '../http/caching/content.js';
import { HttpError } from '../http/http-error.js';

const directory = new URL('dist/pages/', packageFolder);
const guides = new URL('dist/guides/', packageFolder);

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

let names: ReadonlySet<string> | undefined;
const assets = new Map<string, Content>();

/** An asset by its file name, read when first asked for; undefined when the build made none. */
export async function loadAsset(name: string): Promise<Content | undefined> {
  const known = assets.get(name);
  if (known !== undefined) return known;
  // Only names that the build wrote are ever looked for on the disk.
  names ??= new Set(await whenBuilt(readdir(new URL('assets/', directory))));
  if (!names.has(name)) return undefined;
  const bytes = await readBuiltFile(`assets/${name}`);
  const content = contentOf(bytes, contentTypes[extname(name)] ?? 'application/octet-stream');
  assets.set(name, content);
  return content;
}

/** `path` is one that the service itself names, never one that a caller sent. */
export function readBuiltFile(path: string): Promise<Buffer> {
  return whenBuilt(readFile(new URL(path, directory)));
}

/** As {@link readBuiltFile}, of the guides. */
export function readGuideFile(path: string): Promise<Buffer> {
  return whenBuilt(readFile(new URL(path, guides)));
}

async function whenBuilt<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new HttpError(500, 'The pages of this service have not been built: run npm run build.');
  }
}
