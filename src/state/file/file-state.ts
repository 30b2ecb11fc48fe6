/** A state in memory that a file keeps over restarts. */

import { open, realpath, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { runInTurns } from '#base/run-steps.js';
import { ConfigError } from '#config/config.js';
import {
  createMemoryState,
  type MemoryState,
  type MemoryStateOptions,
} from '../memory/memory-state.js';
import type { State } from '../state.js';
import { FileLock } from './file-lock.js';
import { readFrames, StateFileError, StateFrames } from './state-format.js';
import { recordsOf, restoreRecords } from './state-records.js';
import { writeWhole } from './write-whole.js';

/** A change is in the file after at most 5 s, of which a write needs a part. */
const longestPauseMs = 3500;
const shortestPauseMs = 500;
const repeatMs = 60_000;

export interface FileStateOptions extends MemoryStateOptions {
  readonly path: string;
  readonly log: Logger;
}

/** Reads the file, and writes it at once. Throws a {@link ConfigError} if one of both is impossible. */
export async function openFileState(
  { path: given, log, ...options }: FileStateOptions,
  signal: AbortSignal,
): Promise<State> {
  let lock: FileLock | undefined;
  try {
    const path = await targetOf(given);
    lock = await FileLock.take(`${path}.lock`, signal);
    const memory = createMemoryState(options);
    await restore(path, memory);
    const writer = new StateWriter({ path, memory, lock, log, clock: options.clock });
    await writer.write();
    return { ...memory, close: () => writer.close() };
  } catch (error) {
    await lock?.release().catch(() => {});
    signal.throwIfAborted();
    throw new ConfigError([explain(given, error)]);
  }
}

function explain(path: string, error: unknown): string {
  if (error instanceof StateFileError) return `STATE_FILE is ${path}, which ${error.message}`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  const hint =
    code === 'EBUSY' ? ' A file that is mounted cannot be replaced: mount its folder.' : '';
  return `STATE_FILE is ${path}, but ${message}.${hint}`;
}

/** Returns the file that a link refers to. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
    throw error;
  }
}

/** Accepts a missing or an empty file, which belongs to a new service. */
async function restore(path: string, memory: MemoryState): Promise<void> {
  const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (about?.isFile() === false) throw new StateFileError('is no file.');
  if (about === undefined || about.size === 0) return;
  const file = await open(path, 'r');
  try {
    const restorer = memory.restorer();
    await readFrames(file, (records) => restoreRecords(records, restorer));
    restorer.end();
  } finally {
    await file.close();
  }
}

interface Writing {
  readonly path: string;
  readonly memory: MemoryState;
  readonly lock: FileLock;
  readonly log: Logger;
  readonly clock: () => number;
}

class StateWriter {
  readonly #parts: Writing;
  #isChanged = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #lastWriteMs = 0;
  #reportedAtMs: number | undefined;

  constructor(parts: Writing) {
    this.#parts = parts;
    parts.memory.onChange(() => this.#noteChange());
  }

  /** Rejects if the file could not be replaced, and keeps the old one. */
  async write(): Promise<void> {
    const { path, memory, lock, clock } = this.#parts;
    const startMs = performance.now();
    this.#isChanged = false;
    const frames = new StateFrames(recordsOf(memory.copy(), memory.isFindable), clock());
    await writeWhole(path, piecesOf(frames), () => lock.check());
    this.#lastWriteMs = performance.now() - startMs;
  }

  async close(): Promise<void> {
    const { path, memory, lock } = this.#parts;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    try {
      await this.write();
    } catch (error) {
      throw new Error(`The state could not be written to ${path}.`, { cause: error });
    } finally {
      await lock.release();
      await memory.close();
    }
  }

  #noteChange(): void {
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#schedule();
  }

  /** A write that follows another one begins earlier the longer the other one took. */
  #schedule(): void {
    if (this.#isClosed || this.#writing !== undefined) return;
    const pauseMs = Math.max(shortestPauseMs, longestPauseMs - 2 * this.#lastWriteMs);
    this.#timer = setTimeout(() => this.#writeOrReport(), pauseMs).unref();
  }

  async #writeOrReport(): Promise<void> {
    this.#writing = this.write().then(
      () => this.#reportSuccess(),
      (error) => this.#report(error),
    );
    await this.#writing;
    this.#writing = undefined;
    if (this.#isChanged) this.#schedule();
  }

  #reportSuccess(): void {
    if (this.#reportedAtMs === undefined) return;
    this.#reportedAtMs = undefined;
    this.#parts.log.warn({ file: this.#parts.path }, 'the state file is written again');
  }

  #report({ message }: Error): void {
    this.#isChanged = true;
    const nowMs = performance.now();
    if (this.#reportedAtMs !== undefined && nowMs - this.#reportedAtMs < repeatMs) return;
    this.#reportedAtMs = nowMs;
    const { log, path } = this.#parts;
    log.error({ file: path, reason: message }, 'cannot write the state file; trying again');
  }
}

async function* piecesOf(frames: StateFrames): AsyncGenerator<Buffer> {
  yield frames.head;
  for (;;) {
    const frame = await runInTurns(frames.next());
    if (frame === undefined) return;
    yield Buffer.concat(frame);
  }
}
