/** Requests of a page to the service that serves it, wherever a proxy has put both. */

import { withVisitor } from './visitor-headers.js';

/** What the service said was wrong. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends along the key of the visitor's account and the sandbox of the bar. Throws as {@link callOpen} does. */
export function call(url: string, init: RequestInit = {}): Promise<Response> {
  return callOpen(url, { ...init, headers: withVisitor(url, init.headers) });
}

/**
 * Sends nothing but what it is given, as to a bin, which shows all that comes. Throws
 * {@link ApiError} for an error answer, and a plain error when there is none.
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

export function callJson<Answer>(
  url: string,
  method?: string,
  body?: unknown,
  headers?: HeadersInit,
): Promise<Answer> {
  return callJsonOpen<Answer>(url, method, body, withVisitor(url, headers));
}

/** As {@link callOpen}, with a body of JSON and an answer of JSON. */
export async function callJsonOpen<Answer>(
  url: string,
  method = 'GET',
  body?: unknown,
  headers?: HeadersInit,
): Promise<Answer> {
  const all = new Headers(headers);
  if (body !== undefined) all.set('Content-Type', 'application/json');
  const response = await callOpen(url, {
    method,
    headers: all,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Answer;
}
