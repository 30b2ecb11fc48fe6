/**
 * What a capture is answered with. Whoever makes a bin chooses these bytes, and they come from our
 * origin: nothing in them may run, or change how a browser treats this service.
 */

import { STATUS_CODES } from 'node:http';
import type { FieldFault } from '../../server/http-error.js';
import type { BinReply } from './bins.js';

/** The answer to a capture, ready to send. */
export interface CaptureReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `undefined` where the status allows none. */
  readonly body: Buffer | undefined;
}

/**
 * On every answer to a capture. `sandbox` makes a document of no origin that runs no script
 * (CSP Level 3, section 6.3.2), and with `nosniff` the body is nothing but its Content-Type.
 */
export const isolatingHeaders = [
  ['content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-store'],
] as const;

export const maxReplyHeaders = 20;
export const maxReplyBodyBytes = 64 * 1024;
const maxHeaderValueLength = 1000;

const headerName = /^[a-z][a-z0-9-]{0,99}$/i;
/** What Node and RFC 9110 section 5.5 take in a value. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Names that frame the message, belong to the connection, or speak for the whole origin. */
const refusedNames = new Set([
  'accept-ch',
  'alt-svc',
  'cache-control',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'critical-ch',
  'date',
  'expect',
  'expect-ct',
  'host',
  'keep-alive',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'public-key-pins-report-only',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'secure-session-registration',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'set-login',
  'sourcemap',
  'speculation-rules',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'use-as-dictionary',
  'x-content-type-options',
  'x-request-id',
  'x-sourcemap',
]);
const refusedPrefixes = [
  'access-control-',
  'content-security-policy',
  'cross-origin-',
  'proxy-',
  'x-ratelimit-',
];

/** Refused, since a page's policy takes scripts and style sheets from its own origin. */
const refusedType = /(?:java|ecma|live|j)script|wasm|css|^\s*multipart/i;

/** What may not be in a bin's reply, beyond what the schema says; empty when all may. */
export function checkBinReply({ headers, body }: BinReply): FieldFault[] {
  const faults: FieldFault[] = [];
  const entries = Object.entries(headers);
  if (entries.length > maxReplyHeaders) {
    faults.push({
      field: 'response.headers',
      message: `There are ${entries.length} headers; a reply takes at most ${maxReplyHeaders}.`,
    });
  }
  const seen = new Set<string>();
  for (const [name, value] of entries.slice(0, maxReplyHeaders)) {
    const message = headerFault(name.toLowerCase(), value, seen);
    const field = `response.headers.${name.slice(0, 100)}`;
    if (message !== undefined) faults.push({ field, message });
    seen.add(name.toLowerCase());
  }
  if (Buffer.byteLength(body) > maxReplyBodyBytes) {
    faults.push({
      field: 'response.body',
      message: `The body of a reply takes at most ${maxReplyBodyBytes} bytes.`,
    });
  }
  return faults;
}

function headerFault(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  if (!headerName.test(name)) {
    return 'A header name here begins with a letter and holds letters, digits and hyphens, at most 100.';
  }
  if (seen.has(name)) return `The header ${name} comes twice.`;
  if (refusedNames.has(name) || refusedPrefixes.some((prefix) => name.startsWith(prefix))) {
    return `The header ${name} is the service's own and cannot be set.`;
  }
  if (value.length > maxHeaderValueLength || !headerValue.test(value)) {
    return `The value of ${name} takes printable characters up to U+00FF and tabs, at most ${maxHeaderValueLength}.`;
  }
  if (name === 'content-type' && refusedType.test(value)) {
    return 'A reply is never a script, a style sheet or multipart: choose another Content-Type.';
  }
  return undefined;
}

/** These end a request but have no body (RFC 9110 section 15). */
const bodylessStatuses = new Set([204, 205, 304]);

/**
 * The reply of a bin to one captured request. `askedStatus` is the request's own `status` parameter;
 * anything but a final status there belongs to the sender and asks for nothing.
 */
export function chooseReply(
  response: BinReply | null,
  askedStatus: unknown,
  captured: { readonly binId: string; readonly requestId: string },
): CaptureReply {
  const status = readStatus(askedStatus) ?? response?.status ?? 200;
  const { headers, body } = response
    ? { headers: customHeaders(response), body: response.body }
    : { headers: [['content-type', jsonType] as const], body: confirmation(status, captured) };
  if (bodylessStatuses.has(status)) {
    const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
    return { status, headers: others, body: undefined };
  }
  return { status, headers, body: Buffer.from(body) };
}

const jsonType = 'application/json; charset=utf-8';

function readStatus(asked: unknown): number | undefined {
  return typeof asked === 'string' && /^[2-5]\d\d$/.test(asked) ? Number(asked) : undefined;
}

function customHeaders({ headers }: BinReply): [string, string][] {
  const given = Object.entries(headers);
  const isTyped = given.some(([name]) => name.toLowerCase() === 'content-type');
  return isTyped ? given : [['content-type', 'text/plain; charset=utf-8'], ...given];
}

/** An error status has the shape of all errors, so that whoever wants one to practise on gets a whole one. */
function confirmation(status: number, captured: object): string {
  const body = { received: true, ...captured };
  if (status < 400) return JSON.stringify(body);
  const error = STATUS_CODES[status] ?? 'Error';
  const message = `The request was captured, and this status was asked for.`;
  return JSON.stringify({ status, error, message, ...body });
}
