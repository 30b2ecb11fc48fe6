/** Requests a stream, and reads its events. */

import { Agent, fetch as fetchWith } from 'undici';
import type { Dialect } from './dialects.js';
import { EventReader, LineReader, type ReadEvent } from './event-reader.js';

export interface StreamCall {
  readonly dialect: Dialect;
  /** The base URL of the provider. */
  readonly baseUrl: string;
  readonly body: object;
  readonly signal?: AbortSignal | undefined;
}

/** A connection for each request, because broken streams close theirs while others begin to use it. */
const dispatcher = new Agent({ pipelining: 0 });

export async function postStream(call: StreamCall): Promise<Response> {
  const { dialect, baseUrl, body, signal } = call;
  const response = await fetchWith(baseUrl + dialect.path, {
    dispatcher,
    method: 'POST',
    headers: { ...dialect.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  return response as unknown as Response;
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
