/** Sends what an example, or the console, describes, and tells what came back. */

import { addressOf } from '../shared/address-of.js';
import { withServiceKey } from '../shared/service-key.js';

export interface RequestToSend {
  readonly method: string;
  /** From the root of the service, beginning with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly times: number;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly contentType: string;
  readonly text: string;
  readonly bytes: number;
  readonly durationMs: number;
  /** Of every answer, where the request was sent several times. */
  readonly statuses: readonly number[];
}

/** Answers that tell no text of their own, as over HTTP/2. */
const commonTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Rejects when nothing came back. */
export async function sendRequest(request: RequestToSend): Promise<ReceivedAnswer> {
  const statuses: number[] = [];
  for (;;) {
    const startedAt = performance.now();
    const response = await fetch(addressOf(request.path), {
      method: request.method,
      headers: withServiceKey(request.headers),
      body: request.body ?? null,
      // With credentials, a challenge would open the browser's own dialog.
      credentials: 'omit',
      cache: 'no-store',
    });
    const bytes = await response.arrayBuffer();
    const durationMs = performance.now() - startedAt;
    statuses.push(response.status);
    if (statuses.length < request.times) continue;
    return {
      status: response.status,
      statusText: response.statusText || (commonTexts[response.status] ?? ''),
      headers: [...response.headers],
      contentType: response.headers.get('content-type') ?? '',
      text: new TextDecoder().decode(bytes),
      bytes: bytes.byteLength,
      durationMs,
      statuses,
    };
  }
}
