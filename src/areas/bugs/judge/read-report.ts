/** Reads the request that a report describes. */

import { sandboxNameOf } from '#http/address/sandbox-name.js';
import type { Request } from '#http/exchange.js';
import { fieldError } from '#http/http-error.js';
import type { ReplayedRequest } from '#kit/replays/replays.js';

export interface Report {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The service sets these itself, or they concern only a connection. */
const ignored = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'http2-settings', 'x-request-id', 'forwarded'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-prefix'],
  ...['proxy-connection', 'x-service-key'],
]);

const token = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const target = /^\/[\x21-\x22\x24-\x7e]*$/;

export interface DescribedRequest extends ReplayedRequest {
  /** The target without the prefix of the sandbox. */
  readonly inside: string;
}

/** Throws 400 for a request that no client could send to this sandbox. */
export function readReport(request: Request, report: Report): DescribedRequest {
  const { method } = report;
  const path = withoutOrigin(request, report.path);
  if (!target.test(path)) {
    const message =
      'path must begin with /, or be a whole URL of this service, and have no spaces, fragments or control characters.';
    throw fieldError('path', message);
  }
  const headers = readHeaders(request, report);
  const body = bodyOf(report, headers);
  return {
    method: method.toUpperCase(),
    target: path,
    inside: insideOf(request, path),
    headers,
    body,
  };
}

/** Testers have whole URLs. */
function withoutOrigin({ baseUrl }: Request, path: string): string {
  const { origin } = new URL(baseUrl);
  return path.startsWith(`${origin}/`) ? path.slice(origin.length) : path;
}

function insideOf({ raw }: Request, path: string): string {
  const [, name, inside = ''] = /^\/s\/([^/?]*)(.*)$/i.exec(path) ?? [];
  if (name === undefined) return path;
  if (name === sandboxNameOf(raw)) return inside.startsWith('/') ? inside : `/${inside}`;
  throw fieldError('path', 'path names another sandbox. Report bugs of this one.');
}

function readHeaders({ raw }: Request, { headers = {} }: Report): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [sentName, value] of Object.entries(headers)) {
    const name = sentName.toLowerCase();
    if (!token.test(name) || name === '__proto__') {
      throw fieldError('headers', 'headers has a name that is not a header name.');
    }
    if (!fieldValue.test(value)) {
      throw fieldError('headers', `The value of ${name} has characters that headers cannot have.`);
    }
    if (name === 'x-sandbox' && value !== sandboxNameOf(raw)) {
      throw fieldError('headers', 'X-Sandbox names another sandbox. Report bugs of this one.');
    }
    if (name !== 'x-sandbox' && !ignored.has(name)) read[name] = value;
  }
  return { ...read, 'x-request-id': requestIdFor(raw.headers['x-request-id']) };
}

/** The same for all replays of a report. */
const requestIdFor = (sent: unknown) => (typeof sent === 'string' ? sent : 'replay');

function bodyOf({ body }: Report, headers: Record<string, string>): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  headers['content-type'] ??=
    typeof body === 'string' && !/^\s*[[{]/.test(body)
      ? 'text/plain; charset=utf-8'
      : 'application/json';
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
