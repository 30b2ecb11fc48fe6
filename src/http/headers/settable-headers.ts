/** The headers that callers may set on responses of this service: those about the response itself. */

import { Type } from 'typebox';
import { type FieldFault, rejectFaults } from '../http-error.js';

/** By name, or as pairs of name and value, in which a name may come again. */
export type GivenHeaders =
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

export const maxSettableHeaders = 20;
const maxValueLength = 1000;

/** How the characters of values become bytes. RFC 9110 section 5.5 knows only those of ASCII. */
export const headerEncodings = ['latin1', 'utf-8'] as const;

export type HeaderEncoding = (typeof headerEncodings)[number];

export const headerEncodingSchema = Type.Unsafe<HeaderEncoding>({
  type: 'string',
  enum: headerEncodings,
  default: 'latin1',
  description: 'How characters of header values become bytes; utf-8 sends any character.',
});

/** As one type rather than a union, so that a fault inside is named where it is. */
export const givenHeadersSchema = Type.Unsafe<GivenHeaders>({
  type: ['object', 'array'],
  description:
    'By name, or as pairs of name and value, in which a name may come again. It accepts Content-*, Location, Retry-After, ETag, Last-Modified, Expires, Age, Cache-Control, Vary, Link, Allow, Accept-*, WWW-Authenticate, Proxy-Authenticate and X-*, but none that frames the message, acts on the whole origin, or steers a proxy.',
  additionalProperties: { type: 'string' },
  items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
});

const settable =
  'These can: Content-*, Location, Retry-After, ETag, Last-Modified, Expires, Age, Cache-Control, Vary, Link, Allow, Accept-*, WWW-Authenticate, Proxy-Authenticate and X-*.';

const settableName =
  /^(?:location|retry-after|etag|last-modified|expires|age|cache-control|vary|link|allow|www-authenticate|proxy-authenticate|(?:content|accept|x)-.+)$/;

const exceptions: readonly (readonly [reason: string, name: RegExp])[] = [
  ["is the service's own", /^(?:content-length|x-request-id|x-ratelimit-.*|x-simulated|x-fault)$/],
  [
    'acts on more than this response',
    /^(?:accept-ch|accept-ch-lifetime|(?:x-)?content-security-policy.*|x-content-type-options|x-frame-options|x-permitted-cross-domain-policies|x-sourcemap|x-webkit-csp.*)$/,
  ],
  [
    'would make a proxy in front act',
    /^x-(?:(?:accel|envoy|forwarded|lighttpd|litespeed|reproxy)-|sendfile)/,
  ],
];

/** Of these, HTTP allows one (RFC 9110 section 5.3); of the others a list, also in several lines. */
const singleName =
  /^(?:age|content-(?:disposition|location|md5|range|type)|etag|expires|last-modified|location|retry-after)$/;

const headerName = /^[a-z][a-z0-9-]{0,99}$/i;
/** A token of RFC 9110 section 5.6.2. */
const fieldName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Control characters but tabs, and halves of surrogate pairs. */
const unsendable = /[^\P{Cc}\t\x80-\x9f]|\p{Cs}/u;
const beyondLatin1 = /[\u{100}-\u{10ffff}]/u;

/** Rejected, since a page's policy allows scripts and style sheets from its own origin. */
const rejectedType = /(?:java|ecma|live|j)script|wasm|css|^\s*multipart/i;

interface SettableOptions {
  /** Whether cookies may be set; the caller checks their paths. */
  readonly isCookieSettable?: boolean;
  /** Whether any name is accepted, as in trailers, which no client acts on. */
  readonly isAnyName?: boolean;
  /** Absent where the caller cannot choose one. */
  readonly encoding?: HeaderEncoding | undefined;
}

/** Returns what is wrong with headers to set, each fault named below `field`. */
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
    return `The header name ${shown} must begin with a letter and hold letters, digits and hyphens alone, at most 100.`;
  }
  const lower = name.toLowerCase();
  const [reason] = exceptions.find(([, names]) => names.test(lower)) ?? [];
  if (reason !== undefined) return `The header ${name} cannot be set: it ${reason}.`;
  return settableName.test(lower) ? undefined : `The header ${name} cannot be set. ${settable}`;
}

function valueFault(name: string, value: string, encoding?: HeaderEncoding): string | undefined {
  const isUtf8 = encoding === 'utf-8';
  if (unsendable.test(value)) {
    return `The value of ${name} must have printable characters and tabs only.`;
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
    return `A response must not be a script, a style sheet or multipart: choose another ${name}.`;
  }
  return undefined;
}

function repetitionFault(name: string, isList: boolean): string | undefined {
  if (singleName.test(name.toLowerCase())) {
    return `The header ${name} comes twice; HTTP allows it once.`;
  }
  if (isList) return undefined;
  return `The header ${name} comes twice. To send it twice, give the headers as a list of pairs: [["${name}", "…"], ["${name}", "…"]].`;
}

export function headerPairs(headers: GivenHeaders): readonly (readonly [string, string])[] {
  return isPairs(headers) ? headers : Object.entries(headers);
}

/** Returns pairs whose values have a character for each byte, as Node sends them. */
export function encodeHeaders(
  headers: GivenHeaders,
  encoding: HeaderEncoding = 'latin1',
): readonly (readonly [string, string])[] {
  const pairs = headerPairs(headers);
  if (encoding === 'latin1') return pairs;
  return pairs.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
}

/** Returns headers as a reply accepts them: by name in lower case, the values of a repeated one in their order. */
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

/** Parses headers in a query, such as `?header=Retry-After:5`. Throws 400 for those that may not be set. */
export function parseHeaderParameters(
  texts: readonly string[],
  parameter: string,
  encoding: HeaderEncoding,
): GivenHeaders {
  const faults: FieldFault[] = [];
  const pairs = texts.map((text, index) => {
    const colon = text.indexOf(':');
    if (colon < 1) {
      const message = `${JSON.stringify(text.slice(0, 100))} is no header. Write it as Name:value.`;
      faults.push({ field: `${parameter}.${index}`, message });
    }
    return [text.slice(0, colon), text.slice(colon + 1).trim()] as const;
  });
  if (faults.length === 0) faults.push(...checkSettableHeaders(pairs, parameter, { encoding }));
  rejectFaults(faults);
  return encodeHeaders(pairs, encoding);
}
