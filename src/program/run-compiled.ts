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
/** By then what was loaded has run, and its functions are compiled. */
const keepAfterMs = 1000;
/** Two checksums: of the source and of the compiled code. */
const headBytes = 8;

type Code = (
  exports: object,
  load: (id: string) => unknown,
  module: { exports: object },
  file: string,
  folder: string,
) => void;

const requirePackage = createRequire(import.meta.url);
const beginning = '(function (exports, require, module, __filename, __dirname) {\n';
const end = '\n})';

/** A script without kept code, with the checksum of its source. */
interface Compiled {
  readonly name: string;
  readonly checksum: number;
  readonly script: Script;
}

class Program {
  readonly #loaded = new Map<string, { exports: object }>();
  readonly #require = Object.assign(
    (id: string) => (id.startsWith('./') ? this.load(id.slice(2)) : requirePackage(id)),
    { import: (id: string) => import(id) },
  );
  #compiled: Compiled[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Loads a module of CommonJS, as `require` of Node does. What failed is loaded again by the next call. */
  load(name: string): object {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.exports;
    const file = join(folder, name);
    const run = this.#compile(name);
    const module = { exports: {} };
    this.#loaded.set(name, module);
    try {
      run(module.exports, this.#require, module, file, folder);
    } catch (error) {
      this.#loaded.delete(name);
      throw error;
    }
    return module.exports;
  }

  #compile(name: string): Code {
    const file = join(folder, name);
    const { text, checksum } = readSource(file);
    const kept = readKept(name, checksum);
    const script = new Script(text, {
      filename: pathToFileURL(file).href,
      lineOffset: -1,
      ...(kept && { cachedData: kept }),
    });
    const isNew = kept === undefined || script.cachedDataRejected;
    if (isNew) {
      this.#compiled.push({ name, checksum, script });
      this.#timer ??= setTimeout(() => this.#keepNext(), keepAfterMs).unref();
    }
    return script.runInThisContext();
  }

  /** Keeps what was compiled, one module in each turn, because clients wait. Does nothing where the folder cannot be written. */
  #keepNext(): void {
    this.#timer = undefined;
    const compiled = this.#compiled.shift();
    if (compiled === undefined) return;
    try {
      mkdirSync(cacheFolder, { recursive: true });
      keepCode(compiled);
      this.#timer = setTimeout(() => this.#keepNext(), 0).unref();
    } catch {
      this.#compiled = [];
    }
  }
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

function keepCode({ name, checksum, script }: Compiled): void {
  const code = script.createCachedData();
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(checksum, 0);
  head.writeUInt32LE(crc32(code), 4);
  const file = join(cacheFolder, name);
  // Renamed when it is whole, since another start may read it.
  writeFileSync(`${file}.${process.pid}`, Buffer.concat([head, code]));
  renameSync(`${file}.${process.pid}`, file);
}

new Program().load('main.cjs');
