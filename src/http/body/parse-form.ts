/** Parses form bodies: URL-encoded and multipart. */

import { Readable } from 'node:stream';
import type { BusboyConfig } from '@fastify/busboy';
import { addValue } from '../../base/add-value.js';
import {
  parseUrlEncoded,
  type UrlEncoded,
  urlEncodedFault,
} from '../../base/text/parse-url-encoded.js';
import { slicesOf } from '../sending/stream-of.js';
import { scanMultipart } from './scan-multipart.js';

/** Repeated names become arrays, as in a query string. */
export type FormFields = UrlEncoded;

export interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  /** Content, in the chunks of the parser. */
  readonly pieces: readonly Buffer[];
}

export interface MultipartForm {
  readonly form: FormFields;
  readonly files: readonly FormFile[];
  /** Content types of field parts by name; the last one applies. */
  readonly fieldTypes: Readonly<Record<string, string>>;
}

/** Larger forms are rejected, because the response would be much larger than the request. */
const maxFields = 1000;

/** Parses `application/x-www-form-urlencoded`, also malformed escapes. Throws an `Error` for too many fields. */
export function parseForm(text: string): FormFields {
  if (text.split('&', maxFields + 1).length > maxFields) throw tooManyFields();
  return parseUrlEncoded(text);
}

/** Describes where and why a form is not the encoding of UTF-8. */
export function formFault(text: string): string | undefined {
  const fault = urlEncodedFault(text);
  return fault && `The form ${fault}`;
}

/**
 * Parses multipart/form-data (RFC 7578). Keeps the order of fields and files. Throws an `Error`
 * with the reason.
 */
export async function parseMultipart(contentType: string, bytes: Buffer): Promise<MultipartForm> {
  const form: FormFields = Object.create(null);
  const files: FormFile[] = [];
  // The parser counts only well-formed parts, but works on the others nevertheless.
  const boundary = boundaryOf(contentType);
  if (isMoreThan(maxFields + 1, bytes, `--${boundary}`)) throw tooManyFields();
  const heads = scanMultipart(bytes, boundary);
  const fieldTypes: Record<string, string> = Object.create(null);
  let place = 0;
  await readParts(contentType, bytes, {
    options: {
      limits: { parts: maxFields, fieldSize: bytes.length, fieldNameSize: bytes.length },
      preservePath: true,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    },
    tooMany: tooManyFields(),
    onField(name, value) {
      if (name === undefined) return namelessPart();
      const { contentType } = heads[place++] ?? {};
      if (contentType !== undefined) fieldTypes[name] = contentType;
      addValue(form, name, value);
      return undefined;
    },
    onFile({ name, ...file }) {
      if (name === undefined) return namelessPart();
      place++;
      files.push({ name, ...file });
      return undefined;
    },
  });
  return { form, files, fieldTypes };
}

interface PartReader {
  readonly options: Omit<BusboyConfig, 'headers'>;
  /** The error for more parts than the options allow. */
  readonly tooMany: Error;
  /** Returns an error to reject the form. */
  readonly onField?: (name: string | undefined, value: string) => Error | undefined;
  /** Called when a file begins; its chunks follow. Returns an error to reject the form. */
  readonly onFile: (
    file: Omit<FormFile, 'name'> & { name: string | undefined },
  ) => Error | undefined;
}

/** Reads the parts of multipart/form-data; rejects with an `Error` with the reason. */
export async function readParts(
  contentType: string,
  bytes: Buffer,
  { options, tooMany, onField, onFile }: PartReader,
): Promise<void> {
  // The parser must use the scanned boundary, not another parameter of the type.
  const boundary = boundaryOf(contentType).replaceAll('\\', '\\\\');
  const readType = `multipart/form-data; boundary="${boundary}"`;
  const { Busboy } = await import('@fastify/busboy');
  const source = Readable.from(slicesOf(bytes));
  return new Promise((resolve, reject) => {
    const rejectIf = (error: Error | undefined) => {
      if (error === undefined) return;
      source.destroy();
      reject(error);
    };
    const parser = new Busboy({ ...options, headers: { 'content-type': readType } });
    // The parser's types declare a name, but it may be missing.
    parser.on('field', (name: string | undefined, value) => rejectIf(onField?.(name, value)));
    parser.on('file', (name: string | undefined, stream, filename, _encoding, type) => {
      // The parser itself reports an unfinished part; without a listener, the error would end the
      // process.
      stream.on('error', () => {});
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      rejectIf(onFile({ name, filename, contentType: type, pieces }));
    });
    parser.on('partsLimit', () => rejectIf(tooMany));
    parser.on('error', (error) => {
      rejectIf(new Error(`Malformed multipart body: ${(error as Error).message}.`));
    });
    parser.on('finish', resolve);
    source.pipe(parser);
  });
}

/** RFC 2046 section 5.1.1. Longer boundaries would make the search slow. */
const maxBoundaryLength = 70;

function boundaryOf(contentType: string): string {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]*)"?|([^";\s]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) {
    throw new Error(
      'Malformed multipart body: its Content-Type has no boundary. Let your HTTP library set it.',
    );
  }
  if (boundary.length <= maxBoundaryLength) return boundary;
  const length = `${boundary.length} characters, more than ${maxBoundaryLength}`;
  throw new Error(`Malformed multipart body: the boundary in its Content-Type has ${length}.`);
}

/** Returns whether bytes contain a text more than `most` times. */
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
  return new Error(`The form has more than ${maxFields} fields, the limit of this path.`);
}
