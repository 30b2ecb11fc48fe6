/**
 * The headers that a caller may set on an answer of this service: those that speak of the answer itself.
 * None that frames the message, acts on the whole origin, or makes a proxy in front do something.
 */

import { Type } from 'typebox';
import type { FieldFault } from '../http-error.js';

/** By name, or as pairs of name and value, in which a name may come again. */
export type GivenHeaders =
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

export const maxSettableHeaders = 20;
const maxValueLength = 1000;

/** As one type rather than a union, so that a fault inside is named where it is. */
export const givenHeadersSchema = Type.Unsafe<GivenHeaders>({
  type: ['object', 'array'],
  description:
    'By name, or as pairs of name and value, in which a name may come again. It accepts Content-*, Location, Retry-After, ETag, Last-Modified, Expires, Age, Cache-Control, Vary, Link, Allow, Accept-*, WWW-Authenticate, Proxy-Authenticate and X-*, but none that frames the message, acts on the whole origin, or steers a proxy.',
  additionalProperties: { type: 'string' },
  items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
});

/** What may be set, in words for those who tried something else. */
const settable =
  'These can: Content-*, Location, Retry-After, ETag, Last-Modified, Expires, Age, Cache-Control, Vary, Link, Allow, Accept-*, WWW-Authenticate, Proxy-Authenticate and X-*.';

const settableNames = new Set([
  'location',
  'retry-after',
  'etag',
  'last-modified',
  'expires',
  'age',
  'cache-control',
  'vary',
  'link',
  'allow',
  'www-authenticate',
  'proxy-authenticate',
]);
const settablePrefixes = ['content-', 'accept-', 'x-'];

/** Exceptions to the prefixes, by what follows from them. An asterisk stands for any end. */
const exceptions: readonly (readonly [reason: string, patterns: readonly string[]])[] = [
  [
    "is the service's own",
    ['content-length', 'x-request-id', 'x-ratelimit-*', 'x-simulated', 'x-fault'],
  ],
  [
    'acts on more than this response',
    [
      'accept-ch',
      'accept-ch-lifetime',
      'content-security-policy*',
      'x-content-security-policy*',
      'x-content-type-options',
      'x-frame-options',
      'x-permitted-cross-domain-policies',
      'x-sourcemap',
      'x-webkit-csp*',
    ],
  ],
  [
    'would make a proxy in front act',
    [
      'x-accel-*',
      'x-envoy-*',
      'x-forwarded-*',
      'x-lighttpd-*',
      'x-litespeed-*',
      'x-reproxy-*',
      'x-sendfile*',
    ],
  ],
];

/** Of these, HTTP takes one (RFC 9110 section 5.3); of the others a list, also in several lines. */
const singleNames = new Set([
  'age',
  'content-disposition',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
]);

const headerName = /^[a-z][a-z0-9-]{0,99}$/i;
/** What Node and RFC 9110 section 5.5 take in a value. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Refused, since a page's policy takes scripts and style sheets from its own origin. */
const rejectedType = /(?:java|ecma|live|j)script|wasm|css|^\s*multipart/i;

export interface SettableOptions {
  /** Whether cookies may be set; their paths are for the caller of this to judge. */
  readonly isCookieSettable?: boolean;
}

/** What may not be among headers to set, each fault named below `field`; empty when all may. */
export function checkSettableHeaders(
  headers: GivenHeaders,
  field: string,
  options: SettableOptions = {},
): FieldFault[] {
  const isList = isPairs(headers);
  const pairs = headerPairs(headers);
  const faults: FieldFault[] = [];
  if (pairs.length > maxSettableHeaders) {
    const message = `There must be at most ${maxSettableHeaders} headers; got ${pairs.length}.`;
    faults.push({ field, message });
  }
  const seen = new Set<string>();
  for (const [index, [name, value]] of pairs.slice(0, maxSettableHeaders).entries()) {
    const message =
      nameFault(name, options) ??
      valueFault(name, value) ??
      repetitionFault(name, isList, seen.has(name.toLowerCase()));
    seen.add(name.toLowerCase());
    if (message === undefined) continue;
    faults.push({ field: `${field}.${isList ? index : name.slice(0, 100)}`, message });
  }
  return faults;
}

function nameFault(name: string, { isCookieSettable = false }: SettableOptions) {
  if (!headerName.test(name)) {
    const shown = JSON.stringify(name.slice(0, 100));
    return `The header name ${shown} must begin with a letter and hold letters, digits and hyphens alone, at most 100.`;
  }
  const lower = name.toLowerCase();
  const reason = exceptions.find(([, patterns]) =>
    patterns.some((pattern) => matches(lower, pattern)),
  )?.[0];
  if (reason !== undefined) return `The header ${name} cannot be set: it ${reason}.`;
  const isSettable =
    settableNames.has(lower) ||
    settablePrefixes.some((prefix) => lower.startsWith(prefix) && lower !== prefix) ||
    (isCookieSettable && lower === 'set-cookie');
  return isSettable ? undefined : `The header ${name} cannot be set. ${settable}`;
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function valueFault(name: string, value: string): string | undefined {
  if (value.length > maxValueLength || !headerValue.test(value)) {
    return `The value of ${name} must be printable characters up to U+00FF and tabs, at most ${maxValueLength}.`;
  }
  const lower = name.toLowerCase();
  if (lower === 'content-encoding' && value.trim().toLowerCase() !== 'identity') {
    return `The header ${name} can only say identity: the body is sent as it is.`;
  }
  if (lower === 'content-type' && rejectedType.test(value)) {
    return `A response must not be a script, a style sheet or multipart: choose another ${name}.`;
  }
  return undefined;
}

function repetitionFault(name: string, isList: boolean, isSeen: boolean): string | undefined {
  if (!isSeen) return undefined;
  if (singleNames.has(name.toLowerCase())) {
    return `The header ${name} comes twice; HTTP allows it once.`;
  }
  if (isList) return undefined;
  return `The header ${name} comes twice. To send it twice, give the headers as a list of pairs: [["${name}", "…"], ["${name}", "…"]].`;
}

export function headerPairs(headers: GivenHeaders): readonly (readonly [string, string])[] {
  return isPairs(headers) ? headers : Object.entries(headers);
}

function isPairs(headers: GivenHeaders): headers is Extract<GivenHeaders, readonly unknown[]> {
  return Array.isArray(headers);
}

/** As a reply takes them: by name in lower case, the values of a repeated one in their order. */
export function headersByName(headers: GivenHeaders): Map<string, string | string[]> {
  const byName = new Map<string, string | string[]>();
  for (const [name, value] of headerPairs(headers)) {
    const key = name.toLowerCase();
    const before = byName.get(key);
    byName.set(key, before === undefined ? value : [before, value].flat());
  }
  return byName;
}
