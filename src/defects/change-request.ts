/** Changes of requests and responses that several defects share. */

import type { Request } from '#http/exchange.js';
import type { SandboxChanges } from '#state/copy/changed-sandbox.js';
import type { SentRequest } from './defect.js';

/** Sets a header as received; `undefined` deletes it. */
export function setHeader({ raw }: Request, name: string, value: string | undefined): void {
  for (let index = raw.rawHeaders.length - 2; index >= 0; index -= 2) {
    if (raw.rawHeaders[index]?.toLowerCase() === name) raw.rawHeaders.splice(index, 2);
  }
  delete raw.headers[name];
  if (value === undefined) return;
  raw.headers[name] = value;
  raw.rawHeaders.push(name, value);
}

export const ignoreHeaders =
  (...names: readonly string[]) =>
  (request: Request): void => {
    for (const name of names) setHeader(request, name, undefined);
  };

/** Changes the query of a request that has one. */
export const changeQuery =
  (change: (query: URLSearchParams) => void) =>
  (request: Request): void => {
    const start = request.url.indexOf('?');
    const query = new URLSearchParams(start < 0 ? '' : request.url.slice(start));
    const before = query.toString();
    change(query);
    const text = query.toString();
    if (text === before) return;
    const path = start < 0 ? request.url : request.url.slice(0, start);
    request.retarget(text === '' ? path : `${path}?${text}`);
  };

/** Reads a parameter of the target as it was sent. */
export function sentParameter({ raw }: Request, name: string): string | undefined {
  const { url = '' } = raw;
  const start = url.indexOf('?');
  const value = start < 0 ? null : new URLSearchParams(url.slice(start)).get(name);
  return value ?? undefined;
}

/** Nothing of the request is written. */
export const losesWrites = (): SandboxChanges => ({ write: () => undefined });

/** The claims of a bearer token, unverified; none if it is not a JWT. */
export function claimsOf({ headers }: Request): Readonly<Record<string, unknown>> {
  const [, payload = ''] = (headers.authorization ?? '').split('.');
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? {};
  } catch {
    return {};
  }
}

export type Members = Record<string, unknown>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The later request that shows whether a session has ended. */
export const shownBySession = ({ headers }: SentRequest) => ({
  target: '/api/auth/session/me',
  headers: { cookie: headers.cookie ?? '' },
});

/** The later request that shows how much of a window is used. */
export const shownByStatus = ({ headers }: SentRequest) => ({
  target: '/api/RateLimit/status',
  headers: headers['x-client-id'] === undefined ? {} : { 'x-client-id': headers['x-client-id'] },
});
