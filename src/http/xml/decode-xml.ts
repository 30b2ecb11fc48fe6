/** Decodes an XML body: RFC 7303 section 3 and XML 1.0 appendix F. */

import { isAscii, isUtf8 } from 'node:buffer';
import { quote, XmlError } from './text.js';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'us-ascii' | 'iso-8859-1';

const marks: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Encodings by the names in RFC 7303, IANA and on the web; UTF-16 requires a check of the bytes.
 */
const encodingsByName: Readonly<Record<string, Encoding | 'utf-16'>> = {
  __proto__: null as never,
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'us-ascii': 'us-ascii',
  ascii: 'us-ascii',
  'iso-8859-1': 'iso-8859-1',
  latin1: 'iso-8859-1',
};

/**
 * Uses the byte-order mark, else the `charset` of the Content-Type, else the XML declaration, else
 * UTF-8. Removes the mark from the text. Throws {@link XmlError} for an unsupported encoding, and
 * for bytes that are invalid in their encoding.
 */
export function decodeXml(bytes: Buffer, charset: string | undefined): string {
  if (bytes.length === 0) throw new XmlError('The body is empty: send a SOAP Envelope.');
  const mark = marks.find(([, markBytes]) => markBytes.every((byte, at) => bytes[at] === byte));
  if (mark !== undefined) return decode(bytes.subarray(mark[1].length), mark[0]);
  if (charset !== undefined) return decode(bytes, named(charset, bytes, 'Content-Type'));

  const width = wideEncoding(bytes);
  if (width !== undefined) return decode(bytes, width);
  const declared = declaredEncoding(bytes);
  if (declared === undefined) return decode(bytes, 'utf-8');
  const encoding = named(declared, bytes, 'XML declaration');
  if (!encoding.startsWith('utf-16')) return decode(bytes, encoding);
  throw new XmlError(
    `The XML declaration names ${declared}, but the text has one byte per character. Declare utf-8.`,
  );
}

function named(name: string, bytes: Buffer, place: string): Encoding {
  const encoding = encodingsByName[name.toLowerCase()];
  if (encoding === undefined) {
    throw new XmlError(
      `The ${place} names the encoding ${quote(name)}. UTF-8, UTF-16, ISO-8859-1 and US-ASCII are supported.`,
    );
  }
  if (encoding !== 'utf-16') return encoding;
  // Without a mark RFC 2781 section 4.3 presumes big-endian; `<` in little-endian proves otherwise.
  return wideEncoding(bytes) ?? 'utf-16be';
}

/**
 * Detects UTF-16 without a mark by its first character, which is `<` in any XML with a declaration.
 */
function wideEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  return undefined;
}

const declaration =
  /^<\?xml\s+version\s*=\s*(?:"[\w.:-]*"|'[\w.:-]*')\s+encoding\s*=\s*(?:"([\w.:-]*)"|'([\w.:-]*)')/;
const maxDeclarationBytes = 256;

function declaredEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return undefined;
  const found = declaration.exec(bytes.toString('latin1', 0, maxDeclarationBytes));
  return found?.[1] ?? found?.[2];
}

function decode(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'utf-8':
      if (!isUtf8(bytes)) throw new XmlError(invalidUtf8(bytes));
      return bytes.toString('utf8');
    case 'us-ascii':
      if (!isAscii(bytes)) throw new XmlError('The body has bytes that are not US-ASCII.');
      return bytes.toString('latin1');
    case 'iso-8859-1':
      return bytes.toString('latin1');
    default:
      try {
        return new TextDecoder(encoding, { fatal: true }).decode(bytes);
      } catch {
        throw new XmlError(`The body is not valid ${encoding.toUpperCase()}.`);
      }
  }
}

/** Finds the first invalid byte, where decoding inserts a replacement character. */
function invalidUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  let offset = 0;
  for (const piece of text.split('\ufffd')) {
    offset += Buffer.byteLength(piece);
    const isSent = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf;
    if (!isSent || bytes[offset + 2] !== 0xbd) break;
    offset += 3;
  }
  return `The body is not valid UTF-8: byte ${offset + 1} is not the start of a character.`;
}
