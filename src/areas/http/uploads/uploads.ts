/** Uploads in the state: all descriptions in one value, and the bytes of each upload in a log. */

import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { turns } from '#base/work-in-turns.js';
import { HttpError } from '#http/http-error.js';
import type { ByteRange } from '#http/sending/byte-ranges.js';
import { slicesOf } from '#http/sending/stream-of.js';
import type { LogSpace, Sandbox, Space } from '#state/state.js';

const maxFiles = 100;
export const maxTotalBytes = 16 * 1024 * 1024;

/** The maximum size of a log entry, so that readers hold little in memory. */
export const pieceBytes = 256 * 1024;

/** Each piece is an entry of the log; an upload with more pieces is rejected. */
const maxPieces = 1000;

/** How long an idle writer keeps its lock. Even the slowest allowed client sends a piece in this time. */
const lockMs = 5 * 60 * 1000;

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** In bytes; null while unknown. */
  readonly size: number | null;
  /** Number of bytes received. */
  readonly offset: number;
  readonly pieces: number;
  /** In hex, once complete. */
  readonly sha256: string | null;
  readonly createdAtMs: number;
  /** When an unfinished resumable upload expires, by the clock of the sandbox. */
  readonly expiresAtMs?: number;
  /** Upload-Metadata of a resumable upload, as sent. */
  readonly metadata: string | null;
  /** For tus's concatenation: a partial upload, or the parts of a final upload. */
  readonly concat?: 'partial' | readonly Part[];
  /** The current writer. */
  readonly lock?: Lock;
}

interface Lock {
  readonly token: string;
  readonly untilMs: number;
  /** While a piece is on its way into the log. */
  readonly isAppending?: true;
}

/** An upload whose log has some of another upload's bytes. */
export interface Part {
  readonly id: string;
  readonly size: number;
}

type Given = Pick<StoredFile, 'name' | 'type' | 'size' | 'metadata' | 'createdAtMs' | 'concat'>;

/** How long an unfinished resumable upload is kept after its last bytes. */
const maxIdleMs = 24 * 60 * 60 * 1000;

/** How often, and how many times, a request looks whether another one has stored its piece. */
const lookMs = 20;
const looks = 250;

type Files = readonly StoredFile[];

const filesSpace: Space<Files> = { name: 'http-uploads', maxKeys: 1 };
const contentsSpace: LogSpace<true, { offset: number }> = {
  name: 'http-upload-contents',
  maxKeys: maxFiles,
  maxEntries: maxPieces,
};

const unknownFile = 'Unknown upload. GET /api/http/uploads lists the uploads of your sandbox.';
const contentGone =
  'Bytes of this file were evicted by other files. Delete it, and upload it again.';
const tooManyPieces = `The upload arrived in more than ${maxPieces} pieces. Delete it, and send larger pieces.`;

/** The uploads of a sandbox. Methods throw 404 for an unknown id. */
export class Uploads {
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Reserves space for the whole file. Throws 413 if it is larger than the limit, 409 if there is not enough space. */
  async add({ expires, ...given }: Given & { readonly expires?: boolean }): Promise<StoredFile> {
    const { size } = given;
    if (size !== null) checkSize(size);
    await this.#removeExpired();
    const id = newId();
    const file = await this.#sandbox.update(filesSpace, 'all', (files: Files = [], nowMs) => {
      checkRoom(files, size ?? 0);
      const made: StoredFile = {
        ...given,
        ...{ id, offset: 0, pieces: 0, sha256: null },
        ...(expires && { expiresAtMs: nowMs + maxIdleMs }),
      };
      return { value: [...files, made], result: made };
    });
    await this.#sandbox.update(contentsSpace, id, () => ({ value: true, result: undefined }));
    return file;
  }

  /** Concatenates finished partial uploads to one file, which replaces them. */
  async concatenate(ids: readonly string[], given: Omit<Given, 'size'>): Promise<StoredFile> {
    const id = newId();
    const file = await this.#sandbox.update(filesSpace, 'all', (files: Files = []) => {
      const parts = ids.map((partId) => partOf(files, partId));
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      const made: StoredFile = {
        ...given,
        id,
        size,
        offset: size,
        pieces: 0,
        sha256: null,
        concat: parts,
      };
      return { value: [...files.filter((each) => !ids.includes(each.id)), made], result: made };
    });
    return this.finish(file);
  }

  async list(): Promise<Files> {
    const nowMs = await this.#sandbox.now();
    return (await this.#all()).filter((file) => !isExpired(file, nowMs));
  }

  async #all(): Promise<Files> {
    return (await this.#sandbox.read(filesSpace, 'all')) ?? [];
  }

  /** Throws 410 for an expired upload, until its space is needed. */
  async find(id: string): Promise<StoredFile> {
    return known(await this.#all(), id, await this.#sandbox.now());
  }

  async clear(): Promise<void> {
    for (const { id } of await this.#all()) await this.remove(id);
  }

  async #removeExpired(): Promise<void> {
    const nowMs = await this.#sandbox.now();
    const expired = (await this.#all()).filter((file) => isExpired(file, nowMs));
    for (const { id } of expired) await this.remove(id);
  }

  async remove(id: string): Promise<void> {
    const removed = await this.#sandbox.update(filesSpace, 'all', (files: Files = []) => {
      const result = files.find((each) => each.id === id);
      return { value: files.filter((each) => each.id !== id), result };
    });
    for (const part of removed === undefined ? [] : partsOf(removed)) {
      await this.#sandbox.update(contentsSpace, part.id, () => ({
        value: undefined,
        result: undefined,
      }));
    }
  }

  async #change(
    id: string,
    change: (file: StoredFile, nowMs: number, others: Files) => StoredFile,
  ): Promise<StoredFile> {
    return this.#sandbox.update(filesSpace, 'all', (files: Files = [], nowMs) => {
      const file = known(files, id, nowMs);
      const others = files.filter((each) => each.id !== id);
      const changed = change(file, nowMs, others);
      return { value: files.map((each) => (each.id === id ? changed : each)), result: changed };
    });
  }

  /**
   * Sets the size of an upload that was created without. Throws 400 if it has another size, or already has more bytes.
   */
  async setSize(id: string, size: number): Promise<StoredFile> {
    checkSize(size);
    return this.#change(id, (file, _nowMs, others) => {
      if (file.size === size) return file;
      if (file.size !== null) {
        throw new HttpError(400, `Upload-Length is ${size}, but was ${file.size} before.`);
      }
      if (size < file.offset) {
        const message = `Upload-Length is ${size}, but ${file.offset} bytes have already arrived.`;
        throw new HttpError(400, message);
      }
      checkRoom(others, size);
      return { ...file, size };
    });
  }

  /**
   * Appends pieces, and computes the digest when the upload is complete. Allows one writer at a time: throws 423 if
   * there is another, 409 for a wrong offset, 413 beyond the end. Pieces added before an error are kept.
   */
  async write(
    id: string,
    offset: number,
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
    isComplete = (file: StoredFile) => file.offset === file.size,
  ): Promise<StoredFile> {
    const token = randomBytes(9).toString('base64url');
    await this.#change(id, (file, nowMs) => {
      if (file.lock !== undefined && file.lock.untilMs > nowMs) throw locked();
      if (file.offset !== offset) {
        const message = `Upload-Offset is ${offset}, but ${file.offset} bytes have arrived. HEAD returns the offset to continue at.`;
        throw new HttpError(409, message, { headers: { 'upload-offset': String(file.offset) } });
      }
      return { ...file, lock: { token, untilMs: nowMs + lockMs } };
    });
    try {
      for await (const piece of pieces) await this.#append(id, token, piece);
    } finally {
      const unlock = ({ lock, ...file }: StoredFile) =>
        lock === undefined || lock.token === token ? file : { ...file, lock };
      await this.#change(id, unlock).catch(() => {});
    }
    const file = await this.find(id);
    return file.sha256 === null && isComplete(file) ? this.finish(file) : file;
  }

  /**
   * Ends the writing of another request, after the piece that it stores, and returns whether there was one. The offset
   * then stays until the next write.
   */
  async takeOver(id: string): Promise<{ readonly file: StoredFile; readonly wasLocked: boolean }> {
    const { lock: held } = await this.find(id);
    const wasLocked = held !== undefined && held.untilMs > (await this.#sandbox.now());
    for (let look = 0; look < looks; look++) {
      const file = await this.#change(id, (before, nowMs) => {
        const { lock, ...rest } = before;
        const isHeld = lock !== undefined && lock.untilMs > nowMs;
        return isHeld && lock.isAppending ? before : rest;
      });
      if (file.lock === undefined) return { file, wasLocked };
      await sleep(lookMs);
    }
    throw locked();
  }

  async #append(id: string, token: string, bytes: Buffer): Promise<void> {
    const file = await this.#change(id, (before, nowMs, others) => {
      if (before.lock?.token !== token) throw locked();
      const offset = before.offset + bytes.length;
      if (before.size === null) checkRoom(others, offset);
      else if (offset > before.size) throw beyondEnd(before.size);
      if (before.pieces >= maxPieces) throw new HttpError(413, tooManyPieces);
      const lock = { token, untilMs: nowMs + lockMs, isAppending: true } as const;
      const expiry = before.expiresAtMs === undefined ? {} : { expiresAtMs: nowMs + maxIdleMs };
      return { ...before, offset, pieces: before.pieces + 1, lock, ...expiry };
    });
    const item = { offset: file.offset - bytes.length };
    const sequence = await this.#sandbox.log(contentsSpace, id).append(item, bytes);
    if (sequence === undefined) throw new HttpError(404, unknownFile);
    await this.#change(id, ({ lock, ...rest }) => {
      if (lock === undefined) return rest;
      const { isAppending: _stored, ...held } = lock;
      return { ...rest, lock: held };
    });
  }

  /** Computes the digest of a complete file. */
  async finish(file: StoredFile): Promise<StoredFile> {
    const hash = createHash('sha256');
    for await (const piece of this.read(file, { first: 0, last: file.offset - 1 })) {
      hash.update(piece);
      await turns.next();
    }
    const sha256 = hash.digest('hex');
    return this.#change(file.id, ({ expiresAtMs: _never, ...before }) => {
      return { ...before, size: before.offset, sha256 };
    });
  }

  /** Throws 404 if some of its bytes were evicted by other files. */
  async checkContent(file: StoredFile): Promise<void> {
    for (const { id } of partsOf(file)) {
      const status = await this.#sandbox.log(contentsSpace, id).status();
      if (status === undefined || status.size < status.lastSequence) {
        throw new HttpError(404, contentGone);
      }
    }
  }

  /** Reads the bytes of a range, piece by piece. */
  async *read(file: StoredFile, { first, last }: ByteRange): AsyncGenerator<Buffer> {
    let start = 0;
    for (const { id, size } of partsOf(file)) {
      const range = { first: Math.max(first - start, 0), last: Math.min(last - start, size - 1) };
      yield* this.#readPart(id, range);
      start += size;
    }
  }

  async *#readPart(id: string, { first, last }: ByteRange): AsyncGenerator<Buffer> {
    const log = this.#sandbox.log(contentsSpace, id);
    // No piece is larger, so the range cannot begin in an earlier one.
    let index = Math.floor(first / pieceBytes);
    for (let next = first; next <= last; ) {
      const [entry] = await log.after(index, 1);
      if (entry === undefined || entry.item.offset > next) throw new HttpError(404, contentGone);
      index = entry.sequence;
      const start = next - entry.item.offset;
      if (start >= entry.bytes.length) continue;
      const part = entry.bytes.subarray(start, last - entry.item.offset + 1);
      next += part.length;
      yield* slicesOf(part);
    }
  }
}

function known(files: Files, id: string, nowMs: number): StoredFile {
  const file = files.find((each) => each.id === id);
  if (file === undefined) throw new HttpError(404, unknownFile);
  if (!isExpired(file, nowMs)) return file;
  const time = new Date(file.expiresAtMs ?? nowMs).toISOString();
  throw new HttpError(410, `This upload expired at ${time}, unfinished. Create another one.`);
}

function isExpired({ expiresAtMs }: StoredFile, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

const newId = () => randomBytes(12).toString('base64url');

/** Returns the logs with the bytes of a file. */
function partsOf({ id, offset, concat }: StoredFile): readonly Part[] {
  return typeof concat === 'object' ? concat : [{ id, size: offset }];
}

function partOf(files: Files, id: string): Part {
  const file = files.find((each) => each.id === id);
  if (file === undefined) throw new HttpError(400, `Upload-Concat names ${id}, which is unknown.`);
  if (file.concat !== 'partial') {
    throw new HttpError(400, `Upload-Concat names ${id}, which is not a partial upload.`);
  }
  if (file.size === null || file.sha256 === null) {
    throw new HttpError(400, `Upload-Concat names ${id}, which is not finished.`);
  }
  return { id, size: file.size };
}

function checkSize(size: number): void {
  if (size <= maxTotalBytes) return;
  const message = `A file of ${size} bytes exceeds the limit of a sandbox: ${maxTotalBytes} bytes.`;
  throw new HttpError(413, message);
}

/** Throws 409 if there is not enough space for another file of this size. */
function checkRoom(files: Files, size: number): void {
  const total = files.reduce((sum, file) => sum + (file.size ?? file.offset), 0);
  const isFull = files.flatMap(partsOf).length >= maxFiles;
  if (!isFull && total + size <= maxTotalBytes) return;
  const kept = isFull ? `${maxFiles} files` : `${total} bytes of ${maxTotalBytes}`;
  const message = `Not enough space: the uploads of this sandbox are ${kept}; the limits are ${maxFiles} files and ${maxTotalBytes} bytes. Delete some, or all with DELETE /api/http/uploads.`;
  throw new HttpError(409, message);
}

function locked(): HttpError {
  const message = 'Another request is writing to this upload. Try again later.';
  return new HttpError(423, message, { headers: { 'retry-after': '1' } });
}

export function beyondEnd(size: number): HttpError {
  return new HttpError(413, `The upload has only ${size} bytes, but more were sent.`);
}
