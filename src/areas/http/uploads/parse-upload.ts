/** Files that are sent in one request: as the body itself, or as the one file of a form (RFC 7578). */

import { Readable } from 'node:stream';
import { controlCharacterFault } from '../../../base/text/text-patterns.js';
import { mediaType } from '../../../http/body/request-body.js';
import type { Request } from '../../../http/exchange.js';
import { filenameIn } from '../../../http/headers/content-disposition.js';
import { HttpError } from '../../../http/http-error.js';

export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export const maxNameLength = 200;
export const maxTypeLength = 200;
const binary = 'application/octet-stream';

/** Throws 400 for what is no such body. */
export function parseUpload({ headers }: Request, body: Buffer): Promise<SentFile> {
  const { 'content-type': type, 'content-disposition': disposition } = headers;
  if (mediaType(type) === 'multipart/form-data') return parseForm(type ?? '', body);
  const name = checkName(filenameIn(disposition) ?? 'upload');
  return Promise.resolve({ name, type: checkType(type ?? binary), bytes: body });
}

export function checkName(name: string): string {
  const fault = controlCharacterFault(name);
  if (fault !== undefined) throw new HttpError(400, `The file name ${fault}.`);
  if (name.length > maxNameLength) {
    throw new HttpError(
      400,
      `The file name has ${name.length} characters, and at most ${maxNameLength} are kept.`,
    );
  }
  return name === '' ? 'upload' : name;
}

/** A media type as a header can carry it; anything else counts as bytes. */
export function checkType(type: string): string {
  const isOne = /^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(type);
  return isOne && type.length <= maxTypeLength ? type : binary;
}

/** Small enough that a parser which is told to stop has not gone far. */
const pieceBytes = 64 * 1024;

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
  }
}

/** More parts than a form of one file has. */
const maxParts = 100;

async function parseForm(contentType: string, body: Buffer): Promise<SentFile> {
  if (!/;\s*boundary\s*=/i.test(contentType)) {
    throw malformed(
      'its Content-Type names no boundary. Let the library that makes the body set it',
    );
  }
  const { Busboy } = await import('@fastify/busboy');
  const source = Readable.from(cut(body), { objectMode: false });
  return new Promise((resolve, fail) => {
    const reject = (error: HttpError) => {
      source.destroy();
      fail(error);
    };
    const files: SentFile[] = [];
    let count = 0;
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: maxParts, fieldSize: 10_000 },
    });
    parser.on('file', (_field, stream, filename, _encoding, type) => {
      // A part that never ends is reported by the parser itself; unheard, this would end the process.
      stream.on('error', () => {});
      count++;
      if (count > 1) {
        stream.resume();
        reject(new HttpError(400, 'The form has several files. Send one in each request.'));
        return;
      }
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const bytes = Buffer.concat(pieces);
        files.push({ name: filename ?? 'upload', type: checkType(type), bytes });
      });
    });
    parser.on('partsLimit', () => {
      reject(new HttpError(400, `The form has more than ${maxParts} parts.`));
    });
    parser.on('error', (error) => reject(malformed((error as Error).message)));
    parser.on('finish', () => {
      const [file] = files;
      if (file === undefined) {
        reject(new HttpError(400, 'The form has no file: a part needs a filename.'));
        return;
      }
      try {
        resolve({ ...file, name: checkName(file.name) });
      } catch (error) {
        reject(error as HttpError);
      }
    });
    source.pipe(parser);
  });
}

function malformed(why: string): HttpError {
  return new HttpError(400, `Malformed multipart body: ${why}.`);
}
