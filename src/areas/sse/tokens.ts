/** Streams a text in pieces, as services with language models do. */

import { Type } from 'typebox';
import { type HeldRequest, type HeldRequests, pause } from '#http/held-requests.js';
import { sendEvents, writeEvent } from '#http/sending/event-stream.js';
import { seconds } from '#kit/describe/seconds.js';
import { endpoint } from '#kit/endpoint.js';
import { stream } from './stream-schemas.js';

export const streamTokens = (held: HeldRequests) =>
  endpoint('GET', '/api/sse/tokens', {
    ...stream,
    summary: 'Stream a text in pieces, as language models do',
    description:
      'An event with {"choices":[{"delta":{"content":"…"}}]} for each word, with its preceding white space, and then [DONE].',
    query: {
      text: Type.String({
        default: 'One event for each token, and a last event [DONE].',
        maxLength: 4000,
        description: 'The text.',
      }),
      interval: seconds('Seconds between two pieces.', 0.05, 10),
    },
    handle(request, reply) {
      const { text, interval } = request.query;
      return sendEvents(request, reply, held, (heldRequest) =>
        tokens(text, interval * 1000, heldRequest),
      );
    },
  });

/** Splits a text into words, each with its preceding white space. */
export function piecesOf(text: string): string[] {
  return text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? [];
}

async function* tokens(
  text: string,
  intervalMs: number,
  heldRequest: HeldRequest,
): AsyncGenerator<string> {
  for (const [index, content] of piecesOf(text).entries()) {
    if (index > 0 && intervalMs > 0) await pause(intervalMs, heldRequest);
    if (heldRequest.signal.aborted) return;
    yield writeEvent({ data: JSON.stringify({ choices: [{ delta: { content } }] }) });
  }
  yield writeEvent({ data: '[DONE]' });
}
