/** The files of the package, by their paths from its folder: on the disk, or inside the single file. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { lazily } from '../lazily.js';
import { packed } from './packed.js';

/** Whether the service runs from a bundle, beside which there is what the build wrote. */
export const isBuilt = packed !== undefined || !import.meta.url.endsWith('.ts');

/** Ends with a slash. It is above `src` and above `dist`. */
const folder = lazily(() => findUpwards('package.json', new URL('./', import.meta.url)));

function findUpwards(name: string, from: URL): URL {
  return existsSync(new URL(name, from)) ? from : findUpwards(name, new URL('../', from));
}

const { version, repository } = JSON.parse(String(readPackageFile('package.json')));

export const packageVersion: string = version;

/** The URL to clone from, once `repository` of `package.json` names a public place. */
export const repositoryUrl: string | undefined = repository?.url.replace(/^git\+/, '');

/** Throws the error of the disk, such as ENOENT, for a file that does not exist. */
export function readPackageFile(path: string): Buffer {
  return packed ? unpack(packed.files, path) : readFileSync(new URL(path, folder()));
}

/** Does the same as {@link readPackageFile}, without blocking the process. */
export async function loadPackageFile(path: string): Promise<Buffer> {
  return packed ? unpack(packed.files, path) : readFile(new URL(path, folder()));
}

/** The names of the files in a folder, whose path ends with a slash. */
export function namesInPackage(path: string): string[] {
  return packed ? namesIn(packed.files, path) : readdirSync(new URL(path, folder()));
}

function unpack(files: Readonly<Record<string, string>>, path: string): Buffer {
  const file = files[path];
  if (file === undefined) throw Object.assign(new Error(`No file ${path}.`), { code: 'ENOENT' });
  return brotliDecompressSync(Buffer.from(file, 'base64'));
}

function namesIn(files: Readonly<Record<string, string>>, path: string): string[] {
  const inside = Object.keys(files).filter((name) => name.startsWith(path));
  return inside.map((name) => name.slice(path.length)).filter((name) => !name.includes('/'));
}
