/** Headers that callers may set on responses of this service: headers about the response itself. */

import { Type } from 'typebox';
import { type FieldFault, rejectFaults } from '../http-error.js';

/** By name, or as pairs of name and value, in which names may repeat. */
export type GivenHeaders =
  | Readonly<Record<string, string>>
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

/** One type instead of a union, so that a fault inside is reported at its place. */
export const givenHeadersSchema = Type.Unsafe<GivenHeaders>({
  type: ['object', 'array'],
  description:
    'By name, or as pairs of name and value, in which names may repeat. Accepts Content-*, Location, Retry-After, ETag, Last-Modified, Expires, Age, Cache-Control, Vary, Link, Allow, Accept-*, WWW-Authenticate, Proxy-Authenticate and X-*, except headers that frame the message, act on the whole origin, or control a proxy.',
  additionalProperties: { type: 'string' },
  items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
});

const settable =
  'Allowed are: Content-*, Location, Retry-After, ETag, Last-Modified, Expires, Age, Cache-Control, Vary, Link, Allow, Accept-*, WWW-Authenticate, Proxy-Authenticate and X-*.';

const settableName =
  /^(?:location|retry-after|etag|last-modified|expires|age|cache-control|vary|link|allow|www-authenticate|proxy-authenticate|(?:content|accept|x)-.+)$/;

const exceptions: readonly (readonly [reason: string, name: RegExp])[] = [
  [
    'belongs to the service',
    /^(?:content-length|x-request-id|x-ratelimit-.*|x-simulated|x-fault)$/,
  ],
  [
    'acts on more than this response',
    /^(?:accept-ch|accept-ch-lifetime|(?:x-)?content-security-policy.*|x-content-type-options|x-frame-options|x-permitted-cross-domain-policies|x-sourcemap|x-webkit-csp.*)$/,
  ],
  [
    'would control a proxy',
    /^x-(?:(?:accel|envoy|forwarded|lighttpd|litespeed|reproxy)-|sendfile)/,
  ],
];

/** Headers that HTTP allows only once (RFC 9110 section 5.3). */
const singleName =
  /^(?:age|content-(?:disposition|location|md5|range|type)|etag|expires|last-modified|location|retry-after)$/;

const headerName = /^[a-z][a-z0-9-]{0,99}$/i;
/** A token of RFC 9110 section 5.6.2. */
const fieldName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Control characters other than tabs, and unpaired surrogates. */
const unsendable = /[^\P{Cc}\t\x80-\x9f]|\p{Cs}/u;
const beyondLatin1 = /[\u{100}-\u{10ffff}]/u;

/** Rejected, because a page's policy allows scripts and style sheets from its own origin. */
const rejectedType = /(?:java|ecma|live|j)script|wasm|css|^\s*multipart/i;

interface SettableOptions {
  /** Whether cookies may be set; the caller checks their paths. */
  readonly isCookieSettable?: boolean;
  /** Whether any name is accepted, as in trailers, which no client acts on. */
  readonly isAnyName?: boolean;
  /** Absent if the caller cannot choose it. */
  readonly encoding?: HeaderEncoding | undefined;
}

/** Returns the faults of headers to set, each named below `field`. */
export function checkSettableHeaders(
  headers: GivenHeaders,
  field: string,
  { isCookieSettable = false, isAnyName = false, encoding }: SettableOptions = {},
): FieldFault[] {
  const isList = Array.isArray(headers);
  const pairs = headerPairs(headers);
  const faults: FieldFault[] = [];
  if (pairs.length > maxSettableHeaders) {
    const message = `There must be at most ${maxSettableHeaders} headers; got ${pairs.length}.`;
    faults.push({ field, message });
  }
  const seen = new Set<string>();
  for (const [index, [name, value]] of pairs.slice(0, maxSettableHeaders).entries()) {
    const lower = name.toLowerCase();
    const message =
      (isCookieSettable && lower === 'set-cookie' ? undefined : nameFault(name, isAnyName)) ??
      valueFault(name, value, encoding) ??
      (seen.has(lower) ? repetitionFault(name, isList) : undefined);
    seen.add(lower);
    if (message === undefined) continue;
    faults.push({ field: `${field}.${isList ? index : name.slice(0, 100)}`, message });
  }
  return faults;
}

function nameFault(name: string, isAnyName: boolean): string | undefined {
  if (isAnyName) {
    if (fieldName.test(name)) return undefined;
    const shown = JSON.stringify(name.slice(0, 100));
    return `The trailer name ${shown} must be a token of at most 100 characters (RFC 9110 section 5.6.2).`;
  }
  if (!headerName.test(name)) {
    const shown = JSON.stringify(name.slice(0, 100));
    return `The header name ${shown} must begin with a letter and have only letters, digits and hyphens, at most 100.`;
  }
  const lower = name.toLowerCase();
  const [reason] = exceptions.find(([, names]) => names.test(lower)) ?? [];
  if (reason !== undefined) return `The header ${name} cannot be set: it ${reason}.`;
  return settableName.test(lower) ? undefined : `The header ${name} cannot be set. ${settable}`;
}

function valueFault(name: string, value: string, encoding?: HeaderEncoding): string | undefined {
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

function repetitionFault(name: string, isList: boolean): string | undefined {
  if (singleName.test(name.toLowerCase())) {
    return `The header ${name} is repeated; HTTP allows it once.`;
  }
  if (isList) return undefined;
  return `The header ${name} is repeated. To send it twice, use a list of pairs: [["${name}", "…"], ["${name}", "…"]].`;
}

export function headerPairs(headers: GivenHeaders): readonly (readonly [string, string])[] {
  return isPairs(headers) ? headers : Object.entries(headers);
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
  encoding: HeaderEncoding,
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
  if (faults.length === 0) faults.push(...checkSettableHeaders(pairs, parameter, { encoding }));
  rejectFaults(faults);
  return encodeHeaders(pairs, encoding);
}
