/** The forms that bodies hold: URL-encoded and multipart. */

import { Readable } from 'node:stream';
import { parse as parseUrlEncoded } from 'fast-querystring';
import { addValue } from '../../base/add-value.js';

/** Repeated names become arrays, as in a query string. */
export type FormFields = Record<string, string | string[]>;

export interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  /** Its content, as the parser cut it out of the body. */
  readonly pieces: readonly Buffer[];
}

export interface MultipartForm {
  readonly form: FormFields;
  readonly files: readonly FormFile[];
}

/** More fields or parts are not listed: the response would dwarf the request. */
const maxFields = 1000;

/** `application/x-www-form-urlencoded` (WHATWG URL). Throws an `Error` that says what is wrong. */
export function parseForm(text: string): FormFields {
  if (text.split('&', maxFields + 1).length > maxFields) throw tooManyFields();
  return parseUrlEncoded(text) as FormFields;
}

/** Small enough that a parser which is told to stop has not gone far. */
const pieceBytes = 64 * 1024;

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
  }
}

/**
 * multipart/form-data (RFC 7578). Fields and files keep the order in which they came. Throws an `Error` that says
 * what is wrong.
 */
export async function parseMultipart(contentType: string, bytes: Buffer): Promise<MultipartForm> {
  const [, boundary] = /;\s*boundary\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  if (boundary === undefined) {
    throw new Error(
      'Malformed multipart body: its Content-Type names no boundary. Let the library that makes the body set it.',
    );
  }
  // The parser counts only the parts that it understands, and works on the others all the same.
  if (isMoreThan(maxFields + 1, bytes, `--${boundary}`)) throw tooManyFields();
  const { Busboy } = await import('@fastify/busboy');
  const source = Readable.from(cut(bytes));
  return new Promise((resolve, fail) => {
    const reject = (error: Error) => {
      source.destroy();
      fail(error);
    };
    const form: FormFields = Object.create(null);
    const files: FormFile[] = [];
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: maxFields, fieldSize: bytes.length, fieldNameSize: bytes.length },
      preservePath: true,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    });
    // The parser's types say that a name is always there, but it gives what was sent.
    parser.on('field', (name: string | undefined, value) => {
      if (name === undefined) reject(namelessPart());
      else addValue(form, name, value);
    });
    parser.on('file', (name: string | undefined, stream, filename, _encoding, type) => {
      // A part that never ends is reported by the parser itself; unheard, this would end the process.
      stream.on('error', () => {});
      if (name === undefined) {
        stream.resume();
        reject(namelessPart());
        return;
      }
      const pieces: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => pieces.push(chunk));
      stream.on('end', () => files.push({ name, filename, contentType: type, pieces }));
    });
    parser.on('partsLimit', () => reject(tooManyFields()));
    parser.on('error', (error) => {
      reject(new Error(`Malformed multipart body: ${(error as Error).message}.`));
    });
    parser.on('finish', () => resolve({ form, files }));
    source.pipe(parser);
  });
}

/** Whether bytes hold a text more often than so many times. */
function isMoreThan(most: number, bytes: Buffer, text: string): boolean {
  let place = -1;
  for (let count = 0; count <= most; count++) {
    place = bytes.indexOf(text, place + 1);
    if (place < 0) return false;
  }
  return true;
}

function namelessPart(): Error {
  return new Error('Malformed multipart body: a part has no name in its Content-Disposition.');
}

function tooManyFields(): Error {
  return new Error(`The form has more than ${maxFields} fields, the most that are listed.`);
}
