/**
 * The file of a state: a line with the format, then frames of whole records, then the end. A frame begins with its length
 * and a checksum, which includes all bytes before it; the end is an empty frame.
 */

import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { packageVersion } from '#base/package/package-files.js';
import type { Steps } from '#base/run-steps.js';
import type { StateRecord } from './state-records.js';

const format = 1;
const headOfAnyFormat = /^practice-api-state (\d{1,6}) (\{.{1,1000}\})\n/;
/** Enough for the first line. */
const headLength = 2048;

/** A record belongs to one frame, and may be larger. */
const frameLength = 256 * 1024;
const frameHeadLength = 8;

export class StateFrames {
  readonly #records: Iterator<StateRecord>;
  readonly head: Buffer;
  #checksum: number;
  #isOver = false;

  constructor(records: Iterator<StateRecord>, atMs: number) {
    this.#records = records;
    const about = JSON.stringify({ version: packageVersion, atMs });
    this.head = Buffer.from(`practice-api-state ${format} ${about}\n`);
    this.#checksum = crc32(this.head);
  }

  /** Returns the next frame, the last of which is the end; `undefined` after it. */
  *next(): Steps<readonly Buffer[] | undefined> {
    if (this.#isOver) return undefined;
    const parts: Buffer[] = [];
    let text = '';
    let length = 0;
    while (length < frameLength) {
      const { value, done } = this.#records.next();
      if (done) break;
      const { line, bytes } = value as StateRecord;
      text += line;
      length += line.length + (bytes?.length ?? 0);
      if (bytes !== undefined) {
        parts.push(Buffer.from(text), bytes);
        text = '';
      }
      yield;
    }
    if (text !== '') parts.push(Buffer.from(text));
    this.#isOver = parts.length === 0;
    return [this.#headOf(parts), ...parts];
  }

  #headOf(parts: readonly Buffer[]): Buffer {
    const head = Buffer.alloc(frameHeadLength);
    head.writeUInt32BE(parts.reduce((sum, { length }) => sum + length, 0));
    for (const part of [head.subarray(0, 4), ...parts]) {
      this.#checksum = crc32(part, this.#checksum);
    }
    head.writeUInt32BE(this.#checksum, 4);
    return head;
  }
}

/** The message completes a sentence that begins with the file. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
}

const damaged = () =>
  new StateFileError(
    'is not a state file, or was cut or altered. Use a copy of it, or another file.',
  );

/** Reads all frames, and calls `restore` with the records of each. Throws a {@link StateFileError}. */
export async function readFrames(
  file: FileHandle,
  restore: (records: Buffer) => void,
): Promise<void> {
  const { size } = await file.stat();
  let offset = 0;
  const read = async (length: number) => {
    if (length > size - offset) throw damaged();
    const bytes = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    if (bytesRead < length) throw damaged();
    offset += length;
    return bytes;
  };
  const start = await read(Math.min(size, headLength));
  const [head, itsFormat] = headOfAnyFormat.exec(start.toString('latin1')) ?? [];
  if (head === undefined) throw damaged();
  if (Number(itsFormat) !== format) {
    throw new StateFileError(
      `has the format ${itsFormat}, and version ${packageVersion} of the service reads format ${format}.`,
    );
  }
  offset = head.length;
  let checksum = crc32(start.subarray(0, head.length));
  for (;;) {
    const frameHead = await read(frameHeadLength);
    const records = await read(frameHead.readUInt32BE());
    checksum = crc32(records, crc32(frameHead.subarray(0, 4), checksum));
    if (frameHead.readUInt32BE(4) !== checksum) throw damaged();
    if (records.length === 0) break;
    try {
      restore(records);
    } catch (error) {
      throw Object.assign(damaged(), { cause: error });
    }
  }
  if (offset < size) throw damaged();
}
