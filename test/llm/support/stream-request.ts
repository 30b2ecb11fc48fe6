/** Requests a stream, and reads its events. */

import type { Dialect } from './dialects.js';
import { EventReader, LineReader, type ReadEvent } from './event-reader.js';

export interface StreamCall {
  readonly dialect: Dialect;
  /** The base URL of the provider. */
  readonly baseUrl: string;
  readonly body: object;
  readonly signal?: AbortSignal | undefined;
}

export function postStream({ dialect, baseUrl, body, signal }: StreamCall): Promise<Response> {
  return fetch(baseUrl + dialect.path, {
    method: 'POST',
    headers: { ...dialect.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** Returns whether a response has JSON lines instead of events. */
const hasLines = ({ headers }: Response) => /\bndjson\b/.test(headers.get('content-type') ?? '');

export async function* eventsOf(response: Response): AsyncGenerator<ReadEvent> {
  const reader = hasLines(response) ? new LineReader() : new EventReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const bytes of response.body ?? []) {
    yield* reader.read(decoder.decode(bytes, { stream: true }));
  }
  yield* reader.end();
}
