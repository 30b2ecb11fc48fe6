/** A request with the details that a client needs; snippets are written from it. */

import type { Example, Json } from '#kit/example.js';

export interface Call {
  readonly method: string;
  readonly url: string;
  /** In order; without Content-Type for JSON, and without Authorization for a user. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly user?: { readonly username: string; readonly password: string } | undefined;
  readonly json?: Json | undefined;
  readonly body?: string | undefined;
  readonly times: number;
  /** Response headers that the reader should see. */
  readonly shownHeaders: readonly string[] | 'all';
  /** Whether redirects must be followed or shown; absent if there are none. */
  readonly redirects?: 'followed' | 'shown' | undefined;
  /** Whether the response has a body to show. */
  readonly hasResponseBody: boolean;
}

export function callOf(example: Example, baseUrl: string): Call {
  const { method, path, headers = {}, user, json, body, times = 1, response } = example;
  return {
    method,
    url: `${baseUrl}${path}`,
    headers: Object.entries(headers),
    user,
    json,
    body,
    times,
    shownHeaders: response.headers ?? [],
    hasResponseBody: method !== 'HEAD' && response.status !== 204,
  };
}
