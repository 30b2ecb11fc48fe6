/** Parses forms: URL-encoded (WHATWG URL) and multipart/form-data (RFC 7578). */

import { Readable } from 'node:stream';
import { parse as parseUrlEncoded } from 'fast-querystring';
import { slicesOf } from '../sending/stream-of.js';

/** Repeated names become arrays, as in a query string. */
export type FormFields = Record<string, string | string[]>;

export interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  /** Its content, as the parser cut it out of the body. */
  readonly pieces: readonly Buffer[];
}

interface MultipartForm {
  readonly form: FormFields;
  readonly files: readonly FormFile[];
}

/** More fields or parts are not listed: the response would dwarf the request. */
const maxFields = 1000;

/** Throws an `Error` that says what is wrong. */
export function parseForm(text: string): FormFields {
  if (text.split('&', maxFields + 1).length > maxFields) throw tooManyFields();
  return parseUrlEncoded(text) as FormFields;
}

/** Fields and files keep their order. Throws an `Error` that says what is wrong. */
export async function parseMultipart(contentType: string, bytes: Buffer): Promise<MultipartForm> {
  const [, boundary] = /;\s*boundary\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  if (boundary === undefined) {
    throw new Error(
      'Malformed multipart body: its Content-Type names no boundary. Let the library that makes the body set it.',
    );
  }
  checkPartCount(bytes, `--${boundary}`);
  const { Busboy } = await import('@fastify/busboy');
  // In slices, so that a parser that is stopped has not gone far.
  const source = Readable.from(slicesOf(bytes));
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
      else addField(form, name, value);
    });
    parser.on('file', (name: string | undefined, stream, filename, _encoding, type) => {
      // The parser itself reports a part that never ends; unhandled, this would end the process.
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

/** The parser counts only the parts that it understands, but works on the others too. */
function checkPartCount(bytes: Buffer, delimiter: string): void {
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + 1)) {
    if (++count > maxFields + 1) throw tooManyFields();
  }
}

function addField(form: FormFields, name: string, value: string): void {
  const earlier = form[name];
  form[name] = earlier === undefined ? value : [earlier, value].flat();
}

function namelessPart(): Error {
  return new Error('Malformed multipart body: a part has no name in its Content-Disposition.');
}

function tooManyFields(): Error {
  return new Error(`The form has more than ${maxFields} fields, the most that are listed.`);
}
