#!/usr/bin/env node
/**
 * Runs `main.cjs`, the bundle of the program, from the code that an earlier start compiled and kept in `.cache/`
 * beside the build. A start needs two thirds of the processor time then. Without the kept code, or where it is from
 * another build or another Node, it compiles the bundle and keeps the result.
 */

import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const folder = dirname(fileURLToPath(import.meta.url));
/** V8 checks its version and flags, but crashes with code of another Node with the same V8. */
const node = `${process.version}-${process.arch}-${statSync(process.execPath).size}`;
/** Beside the build, because another user of the machine could change it elsewhere. */
const cacheFolder = join(folder, '../.cache', node);
/** By then the program has started, and few requests have come that would wait for the writing. */
const keepAfterMs = 1000;
/** Two checksums: of the source and of the compiled code. */
const headBytes = 8;

type Code = (
  exports: object,
  load: typeof require,
  module: { exports: object },
  file: string,
  folder: string,
) => void;

const requirePackage = createRequire(import.meta.url);
const loaded = new Map<string, { exports: object }>();
/** Scripts that this start had to compile, with the checksums of their sources; `undefined` once it is over. */
let compiled: { name: string; checksum: number; script: Script }[] | undefined = [];

const require = Object.assign(
  (id: string) => (id.startsWith('./') ? load(id.slice(2)) : requirePackage(id)),
  { import: (id: string) => import(id) },
);

/** Loads a module of CommonJS, as `require` of Node does. What failed is loaded again by the next call. */
function load(name: string): object {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = join(folder, name);
  const run = compile(name);
  const module = { exports: {} };
  loaded.set(name, module);
  try {
    run(module.exports, require, module, file, folder);
  } catch (error) {
    loaded.delete(name);
    throw error;
  }
  return module.exports;
}

const beginning = '(function (exports, require, module, __filename, __dirname) {\n';
const end = '\n})';

function compile(name: string): Code {
  const file = join(folder, name);
  const { text, checksum } = readSource(file);
  const kept = readKept(name, checksum);
  const script = new Script(text, {
    filename: pathToFileURL(file).href,
    lineOffset: -1,
    ...(kept && { cachedData: kept }),
  });
  if (kept === undefined || script.cachedDataRejected) compiled?.push({ name, checksum, script });
  return script.runInThisContext();
}

/**
 * Reads a module as a function. Its text is made at once: V8 would keep a second copy of a joined text, of megabytes.
 */
function readSource(file: string): { text: string; checksum: number } {
  const opened = openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    const bytes = Buffer.allocUnsafeSlow(beginning.length + size + end.length);
    const source = bytes.subarray(beginning.length, beginning.length + size);
    if (readSync(opened, source) !== size) throw new Error(`${file} could not be read at once.`);
    bytes.write(beginning, 'latin1');
    bytes.write(end, beginning.length + size, 'latin1');
    return { text: bytes.toString('latin1'), checksum: crc32(source) };
  } finally {
    closeSync(opened);
  }
}

/** V8 would run damaged code. */
function readKept(name: string, checksum: number): Buffer | undefined {
  try {
    const kept = readFileSync(join(cacheFolder, name));
    const code = kept.subarray(headBytes);
    const isIntact = kept.readUInt32LE(0) === checksum && kept.readUInt32LE(4) === crc32(code);
    return isIntact ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what this start has compiled. Does nothing where the folder cannot be written. */
function keep(): void {
  try {
    mkdirSync(cacheFolder, { recursive: true });
    for (const { name, checksum, script } of compiled ?? []) {
      const code = script.createCachedData();
      const head = Buffer.alloc(headBytes);
      head.writeUInt32LE(checksum, 0);
      head.writeUInt32LE(crc32(code), 4);
      const file = join(cacheFolder, name);
      // Renamed when it is whole, since another start may read it.
      writeFileSync(`${file}.${process.pid}`, Buffer.concat([head, code]));
      renameSync(`${file}.${process.pid}`, file);
    }
  } catch {}
  compiled = undefined;
}

load('main.cjs');
setTimeout(keep, keepAfterMs).unref();
