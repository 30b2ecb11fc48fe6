/** Headers that callers may set on responses of this service: headers about the response itself. */

import { Type } from 'typebox';
import type { DeniedHeaders } from '../denied-headers.js';
import { type FieldFault, HttpError, rejectFaults } from '../http-error.js';

/** By name with one value or several, or as pairs of name and value, in which names may repeat. */
export type GivenHeaders =
  | Readonly<Record<string, string | readonly string[]>>
  | readonly (readonly [name: string, value: string])[];

export const maxSettableHeaders = 20;
const maxValueLength = 1000;

/** Encodings of header values. RFC 9110 section 5.5 defines only ASCII. */
export const headerEncodings = ['latin1', 'utf-8'] as const;

export type HeaderEncoding = (typeof headerEncodings)[number];

export const headerEncodingSchema = Type.Unsafe<HeaderEncoding>({
  type: 'string',
  enum: headerEncodings,
  default: 'latin1',
  description: 'Encoding of header values; utf-8 can send any character.',
});

const forms = 'By name, with a text or a list of texts, or as pairs of name and value.';

/** Describes the names of settable headers. */
export const whichHeaders =
  'Any token is a name (RFC 9110 section 5.6.2), except headers that frame the message, steer proxies, steer browsers at other pages of this origin, or belong to the service.';

/** One type instead of a union, so that a fault inside is reported at its place. */
export const givenHeadersSchema = Type.Unsafe<GivenHeaders>({
  type: ['object', 'array'],
  description: `${forms} ${whichHeaders}`,
  additionalProperties: { type: ['string', 'array'], items: { type: 'string' }, minItems: 1 },
  items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
  examples: [{ 'Retry-After': '2', Link: ['</1>; rel="prev"', '</3>; rel="next"'] }],
});

/** A token of RFC 9110 section 5.6.2. */
const fieldName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Control characters other than tabs, and unpaired surrogates. */
const unsendable = /[^\P{Cc}\t\x80-\x9f]|\p{Cs}/u;
const beyondLatin1 = /[\u{100}-\u{10ffff}]/u;

/** Rejected, because a page's policy allows scripts and style sheets from its own origin. */
const rejectedType = /(?:java|ecma|live|j)script|wasm|css|^\s*multipart/i;

/** The response that headers are for. */
interface SettableOptions {
  readonly denied: DeniedHeaders;
  /** Whether the caller wrote the body, whose coding it then knows. */
  readonly isBodyScripted?: boolean;
  /** Whether cookies may be set; the caller checks their paths. */
  readonly isCookieSettable?: boolean;
  readonly hasTrailers?: boolean;
  /** Whether these are trailers, of which clients ignore those that control the message. */
  readonly isTrailer?: boolean;
  /** Absent if the caller cannot choose it. */
  readonly encoding?: HeaderEncoding | undefined;
}

/** Returns the faults of headers to set, each named below `field`. */
export function checkSettableHeaders(
  headers: GivenHeaders,
  field: string,
  options: SettableOptions,
): FieldFault[] {
  const isList = Array.isArray(headers);
  const pairs = headerPairs(headers);
  const faults: FieldFault[] = [];
  if (pairs.length > maxSettableHeaders) {
    const message = `There must be at most ${maxSettableHeaders} headers; got ${pairs.length}.`;
    faults.push({ field, message });
  }
  const spellings = new Map<string, string>();
  for (const [index, [name, value]] of pairs.slice(0, maxSettableHeaders).entries()) {
    const lower = name.toLowerCase();
    const message =
      nameFault(name, options) ??
      headerValueFault(name, value, options.encoding) ??
      (isList ? undefined : spellingFault(name, spellings.get(lower)));
    spellings.set(lower, name);
    if (message === undefined) continue;
    faults.push({ field: `${field}.${isList ? index : name.slice(0, 100)}`, message });
  }
  return faults;
}

function nameFault(name: string, options: SettableOptions): string | undefined {
  const kind = options.isTrailer ? 'trailer' : 'header';
  if (!fieldName.test(name)) {
    const shown = JSON.stringify(name.slice(0, 100));
    return `The ${kind} name ${shown} must be a token of at most 100 characters (RFC 9110 section 5.6.2).`;
  }
  const reason = options.denied.reasonFor(name, options.isTrailer);
  if (reason !== undefined) return `The ${kind} ${name} cannot be set: it ${reason}.`;
  const needed = options.isTrailer ? undefined : missingPart(name.toLowerCase(), options);
  return needed && `The header ${name} cannot be set here: ${needed}.`;
}

/** Returns why a header that other responses may have is out of place in this one. */
function missingPart(lower: string, options: SettableOptions): string | undefined {
  if (lower === 'content-encoding' && !options.isBodyScripted) {
    return 'it describes bytes, and the body is not from you';
  }
  if (lower === 'set-cookie' && !options.isCookieSettable) {
    return 'only final scripted responses and /httpbin/response-headers set cookies, below their own path';
  }
  if (lower === 'trailer' && !options.hasTrailers)
    return 'it announces trailers, and there are none';
  return undefined;
}

/** Returns why a header cannot have a value, or else `undefined`. */
export function headerValueFault(
  name: string,
  value: string,
  encoding?: HeaderEncoding,
): string | undefined {
  const isUtf8 = encoding === 'utf-8';
  if (unsendable.test(value)) {
    return `The value of ${name} must have only printable characters and tabs.`;
  }
  const [wide] = isUtf8 ? [] : (beyondLatin1.exec(value) ?? []);
  if (wide !== undefined) {
    const hint = encoding === undefined ? '' : ' Set headerEncoding to "utf-8" to send UTF-8.';
    return `The value of ${name} has ${JSON.stringify(wide)}, which is not in Latin-1.${hint}`;
  }
  if (Buffer.byteLength(value, isUtf8 ? 'utf8' : 'latin1') > maxValueLength) {
    return `The value of ${name} must have at most ${maxValueLength} bytes.`;
  }
  const lower = name.toLowerCase();
  if (lower === 'content-type' && rejectedType.test(value)) {
    return `A response must not be a script, a style sheet or multipart. Choose another ${name}.`;
  }
  return undefined;
}

/** In an object, spellings of one name would hide that its values are a list. */
function spellingFault(name: string, before: string | undefined): string | undefined {
  if (before === undefined || before === name) return undefined;
  return `The header ${name} is repeated. To send it twice, use a list of values: {"${name}": ["…", "…"]}.`;
}

export function headerPairs(headers: GivenHeaders): readonly (readonly [string, string])[] {
  if (isPairs(headers)) return headers;
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
}

/** Returns pairs whose values have one character per byte, as Node sends them. */
export function encodeHeaders(
  headers: GivenHeaders,
  encoding: HeaderEncoding = 'latin1',
): readonly (readonly [string, string])[] {
  const pairs = headerPairs(headers);
  if (encoding === 'latin1') return pairs;
  return pairs.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
}

/** Returns headers for a reply: by name in lower case, repeated values in order. */
export function headersByName(headers: GivenHeaders): Map<string, string | string[]> {
  const byName = new Map<string, string | string[]>();
  for (const [name, value] of headerPairs(headers)) {
    const key = name.toLowerCase();
    const before = byName.get(key);
    byName.set(key, before === undefined ? value : [before, value].flat());
  }
  return byName;
}

function isPairs(headers: GivenHeaders): headers is Extract<GivenHeaders, readonly unknown[]> {
  return Array.isArray(headers);
}

/**
 * Parses headers in a query, such as `?header=Retry-After:5`. Throws 400 for headers that may not
 * be set.
 */
export function parseHeaderParameters(
  texts: readonly string[],
  parameter: string,
  options: SettableOptions,
): GivenHeaders {
  const faults: FieldFault[] = [];
  const pairs = texts.map((text, index) => {
    const colon = text.indexOf(':');
    if (colon < 1) {
      const message = `${JSON.stringify(text.slice(0, 100))} is not a header. Write Name:value.`;
      faults.push({ field: `${parameter}.${index}`, message });
    }
    return [text.slice(0, colon), text.slice(colon + 1).trim()] as const;
  });
  if (faults.length === 0) faults.push(...checkSettableHeaders(pairs, parameter, options));
  rejectFaults(faults);
  return encodeHeaders(pairs, options.encoding);
}

/** Throws 409 if a stored response is not accepted today, although it was when it was stored. */
export function rejectStored(faults: readonly FieldFault[], remedy: string): void {
  if (faults.length === 0) return;
  const why = faults.map(({ message }) => message).join(' ');
  const errors = [...faults];
  throw new HttpError(409, `This stored response is no longer accepted. ${why} ${remedy}`, {
    body: { errors },
  });
}
