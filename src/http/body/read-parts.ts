/** Reads the parts of multipart/form-data: RFC 7578. */

import { Readable } from 'node:stream';
import type { BusboyConfig } from '@fastify/busboy';
import { slicesOf } from '../sending/stream-of.js';
import { PartDecoder } from './decode-parts.js';
import { malformed, type Part, scanMultipart } from './scan-multipart.js';

export interface FormFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  /** Content, in the chunks of the parser. */
  readonly pieces: readonly Buffer[];
}

interface PartReader {
  readonly options: Omit<BusboyConfig, 'headers' | 'limits'>;
  readonly maxParts: number;
  /** The error for more parts. */
  readonly tooMany: Error;
  /** Returns an error to reject the form. */
  readonly onField?: (name: string | undefined, value: string, part: Part) => Error | undefined;
  /** Called when a file begins; its chunks follow. Returns an error to reject the form. */
  readonly onFile: (
    file: Omit<FormFile, 'name'> & { name: string | undefined },
  ) => Error | undefined;
}

/**
 * Reads the parts of multipart/form-data; rejects with an `Error` with the reason. Returns why a
 * text has U+FFFD.
 */
export async function readParts(
  contentType: string,
  bytes: Buffer,
  { options, maxParts, tooMany, onField, onFile }: PartReader,
): Promise<string | undefined> {
  const boundary = boundaryOf(contentType);
  // The parser counts only well-formed parts, but works on the others nevertheless.
  if (isMoreThan(maxParts + 1, bytes, `--${boundary}`)) throw tooMany;
  const parts = scanMultipart(bytes, boundary);
  const decoder = new PartDecoder(bytes, parts);
  const faults: string[] = [];
  const note = (index: number, subject: string, fault: string | undefined) => {
    if (fault !== undefined) faults.push(`${subject} part ${index + 1} ${fault}`);
  };
  const heads = parts.map((part, index) => {
    const head = decoder.decodeHead(part);
    note(index, 'the head of', head?.fault);
    return head && Buffer.from(head.text);
  });
  let index = 0;
  await parseParts(boundary, piecesOf(bytes, parts, heads), {
    options: { ...options, limits: { parts: maxParts, fieldNameSize: bytes.length, fieldSize: 0 } },
    onField(name) {
      const part = parts[index++] as Part;
      const { text, fault } = decoder.decodeField(part);
      note(index - 1, 'the text of', fault);
      return onField?.(name, text, part);
    },
    onFile(file) {
      index++;
      return onFile(file);
    },
  });
  if (index !== parts.length) {
    throw malformed(`only ${index} of its ${parts.length} parts can be read`);
  }
  const [first] = faults;
  return (
    first &&
    `Wrong charset: ${first}. Name it in the Content-Type of the part, or in a field _charset_.`
  );
}

/** Returns the body for the parser, which drops parts with white space after their boundary. */
function* piecesOf(bytes: Buffer, parts: readonly Part[], heads: readonly (Buffer | undefined)[]) {
  let place = 0;
  for (const [index, { padding, head, content }] of parts.entries()) {
    const newHead = heads[index];
    const isPadded = head - padding > lineBreak.length;
    if (!isPadded && newHead === undefined) continue;
    yield* slicesOf(bytes.subarray(place, padding));
    yield Buffer.concat([lineBreak, newHead ?? bytes.subarray(head, content)]);
    place = content;
  }
  yield* slicesOf(bytes.subarray(place));
}

const lineBreak = Buffer.from('\r\n');

interface PartEvents {
  readonly options: Omit<BusboyConfig, 'headers'>;
  readonly onField: (name: string | undefined) => Error | undefined;
  readonly onFile: PartReader['onFile'];
}

async function parseParts(
  boundary: string,
  pieces: Iterable<Buffer>,
  { options, onField, onFile }: PartEvents,
): Promise<void> {
  // The parser must use the scanned boundary, not another parameter of the type.
  const readType = `multipart/form-data; boundary="${boundary.replaceAll('\\', '\\\\')}"`;
  const { Busboy } = await import('@fastify/busboy');
  const source = Readable.from(pieces);
  return new Promise((resolve, reject) => {
    const rejectIf = (error: Error | undefined) => {
      if (error === undefined) return;
      source.destroy();
      reject(error);
    };
    const parser = new Busboy({ ...options, headers: { 'content-type': readType } });
    // The parser's types declare a name, but it may be missing.
    parser.on('field', (name: string | undefined) => rejectIf(onField(name)));
    parser.on('file', (name: string | undefined, stream, filename, _encoding, type) => {
      // The parser itself reports an unfinished part; without a listener, the error would end the
      // process.
      stream.on('error', () => {});
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      rejectIf(onFile({ name, filename, contentType: type, pieces }));
    });
    parser.on('error', (error) => rejectIf(malformed((error as Error).message)));
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
    throw malformed('its Content-Type has no boundary. Let your HTTP library set it');
  }
  if (boundary.length <= maxBoundaryLength) return boundary;
  const length = `${boundary.length} characters, more than ${maxBoundaryLength}`;
  throw malformed(`the boundary in its Content-Type has ${length}`);
}

/** Returns whether bytes contain a text more than `most` times. */
function isMoreThan(most: number, bytes: Buffer, text: string): boolean {
  let index = -1;
  for (let count = 0; count <= most; count++) {
    index = bytes.indexOf(text, index + 1);
    if (index < 0) return false;
  }
  return true;
}
