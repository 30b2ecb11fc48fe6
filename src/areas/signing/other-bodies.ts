/** Bodies that a sender may have signed instead of the received body. */

import { isAscii, isUtf8 } from 'node:buffer';
import { decodeWhole } from '#http/codings/decode-whole.js';
import type { Headers } from '#kit/deliveries/schemes.js';
import { headerOf } from './libraries.js';

export interface OtherBody {
  readonly body: Buffer;
  readonly message: string;
}

const writtenAgain =
  'The body was parsed and serialized again after signing, which changed its white space. Send the exact bytes that were signed.';
const keepBytes = 'Sign and send the same bytes.';

/** Yields bodies that differ from this one by a common mistake. */
export function* otherBodies(body: Buffer, headers: Headers): Generator<OtherBody> {
  yield* decodedBodies(body, headers);
  if (!isUtf8(body)) {
    const text = body.toString('latin1');
    yield of(text, `The body is Latin-1, but its text was signed as UTF-8. ${keepBytes}`);
    return;
  }
  const text = body.toString('utf8');
  yield* marked(text);
  yield of(text.trimEnd(), 'The body gained white space at its end after signing.');
  yield of(`${text}\n`, 'The body lost the line break at its end after signing.');
  yield* otherLineEnds(text);
  if (!isAscii(body)) {
    yield {
      body: Buffer.from(text, 'latin1'),
      message: `The text was signed as Latin-1, but the body is UTF-8. ${keepBytes}`,
    };
  }
  yield* otherEscapes(text);
  for (const again of jsonForms(text)) {
    yield of(again, writtenAgain);
    for (const [form, what] of escapedForms(again)) {
      if (form !== again) yield of(form, `${what}, and the white space was changed. ${keepBytes}`);
    }
  }
}

function of(body: string, message: string): OtherBody {
  return { body: Buffer.from(body), message };
}

function* decodedBodies(body: Buffer, headers: Headers): Generator<OtherBody> {
  const label = headerOf(headers, 'content-encoding');
  const begun = magicNumbers.find(({ bytes }) => body.subarray(0, bytes.length).equals(bytes));
  for (const coding of new Set([label, begun?.coding])) {
    const decoded = coding === undefined ? undefined : decodeWhole(body, coding, maxDecodedBytes);
    if (!Buffer.isBuffer(decoded) || decoded.equals(body)) continue;
    const labelled = coding === label ? '' : `, and has no Content-Encoding: ${coding}`;
    yield {
      body: decoded,
      message: `The body was signed before it was compressed (${coding})${labelled}. Verify the decoded body, or sign the compressed bytes.`,
    };
    return;
  }
}

/** The first bytes of compressed bodies, for deliveries without the right Content-Encoding. Brotli has none. */
const magicNumbers = [
  { coding: 'gzip', bytes: Buffer.from([0x1f, 0x8b]) },
  { coding: 'zstd', bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
  ...[0x01, 0x5e, 0x9c, 0xda].map((level) => ({
    coding: 'deflate',
    bytes: Buffer.from([0x78, level]),
  })),
];

const maxDecodedBytes = 256 * 1024;

function* marked(text: string): Generator<OtherBody> {
  if (text.startsWith('\ufeff')) {
    yield of(text.slice(1), 'The body gained a byte-order mark (BOM) after signing.');
  } else {
    yield of(`\ufeff${text}`, 'The body lost its byte-order mark (BOM) after signing.');
  }
}

function* otherLineEnds(text: string): Generator<OtherBody> {
  if (!text.includes('\n')) return;
  const plain = text.replaceAll('\r\n', '\n');
  if (plain !== text) {
    yield of(plain, 'The line ends became CRLF after signing: LF was signed.');
    yield of(plain.trimEnd(), 'The line ends became CRLF after signing: LF was signed.');
  }
  yield of(
    plain.replaceAll('\n', '\r\n'),
    'The line ends became LF after signing: CRLF was signed.',
  );
}

/** JSON can write a character in several ways, and libraries choose differently. */
function* otherEscapes(text: string): Generator<OtherBody> {
  const plain = text.replaceAll('\\/', '/');
  const forms = [
    ...escapedForms(text),
    [
      escapeText(text).replaceAll(/\\u[\da-f]{4}/g, upperEscape),
      'Characters were signed as escapes in capitals, such as \\u00E9',
    ],
    [
      unescapeText(text),
      'Characters were signed unescaped, but sent as escapes, such as \\u00e9 for é',
    ],
    [plain, 'Slashes were signed unescaped, but sent as \\/'],
    [unescapeText(plain), 'Slashes and characters were signed unescaped, but sent as escapes'],
  ] as const;
  for (const [form, what] of forms) {
    if (form !== text) yield of(form, `${what}. ${keepBytes}`);
  }
}

function escapedForms(text: string) {
  const escaped = escapeText(text);
  return [
    [escaped, 'Non-ASCII characters were signed as escapes, such as \\u00e9 for é'],
    [escapeSlashes(text), 'Slashes were signed as \\/, as PHP writes them'],
    [escapeSlashes(escaped), 'Slashes were signed as \\/ and é as \\u00e9, as PHP writes them'],
  ] as const;
}

const upperEscape = (sequence: string) => `\\u${sequence.slice(2).toUpperCase()}`;

function escapeText(text: string): string {
  return text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const escapeSlashes = (text: string) => text.replaceAll(/\\?\//g, '\\/');

/** Unescapes only non-ASCII characters, which JSON need not escape. */
function unescapeText(text: string): string {
  return text.replace(/\\u(?!00[0-7])([\da-f]{4})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Limits indentation, which grows with the square of the depth. */
const maxIndentedDepth = 64;

function jsonForms(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (depthOf(text) > maxIndentedDepth) return [JSON.stringify(value)];
    const pretty = JSON.stringify(value, null, 2);
    // Python's layout: on one line, with spaces. Line breaks inside strings are escaped, so these are indentation.
    const spaced = JSON.stringify(value, null, 1)
      .replaceAll(/,\n */g, ', ')
      .replaceAll(/\n */g, '');
    return [JSON.stringify(value), pretty, `${pretty}\n`, spaced, JSON.stringify(value, null, 4)];
  } catch {
    // Not JSON, or nested too deeply to serialize, so these mistakes were not made.
    return [];
  }
}

/** Returns an upper limit of the nesting depth. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
