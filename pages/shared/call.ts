/** Requests of a page to its service, behind any proxy. */

import { withVisitor } from './visitor/visitor-headers.js';

/** The service's error message. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Adds the visitor's account key and the sandbox of the bar. Throws like {@link callOpen}. */
export function call(url: string, init: RequestInit = {}): Promise<Response> {
  return callOpen(url, { ...init, headers: withVisitor(url, init.headers) });
}

/**
 * Sends only the given headers, for example to a bin, which shows everything that arrives. Throws
 * {@link ApiError} for an error response, and a plain error if there is no response.
 */
export async function callOpen(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, cache: 'no-store' });
  } catch {
    throw new Error('The service cannot be reached.');
  }
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => undefined);
    const { message = response.statusText } = (body ?? {}) as { message?: string };
    throw new ApiError(response.status, message);
  }
  return response;
}

export function callJson<Result>(
  url: string,
  method?: string,
  body?: unknown,
  headers?: HeadersInit,
): Promise<Result> {
  return callJsonOpen<Result>(url, method, body, withVisitor(url, headers));
}

/** Like {@link callOpen}, with a JSON body and a JSON response. */
export async function callJsonOpen<Result>(
  url: string,
  method = 'GET',
  body?: unknown,
  headers?: HeadersInit,
): Promise<Result> {
  const all = new Headers(headers);
  if (body !== undefined) all.set('Content-Type', 'application/json');
  const response = await callOpen(url, {
    method,
    headers: all,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Result;
}
