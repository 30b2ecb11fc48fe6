/** A text in pieces, as services with language models stream their responses. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Reply, Request } from '../../http/exchange.js';
import { type HeldRequest, pause } from '../../http/held-requests.js';
import { sendEvents, writeEvent } from '../../http/sending/event-stream.js';
import type { Services } from '../../kit/area.js';
import { exactQuery } from '../../kit/describe/exact-query.js';
import { events, streamHeaders } from './stream-schema.js';

interface TokensRequest {
  readonly Querystring: { readonly text: string; readonly interval: number };
}

export const tokensSchema = {
  summary: 'Stream a text in pieces, as language models do',
  description:
    'An event with {"choices":[{"delta":{"content":"…"}}]} for each word, with the white space before it, and then [DONE].',
  querystring: exactQuery({
    text: Type.String({
      default: 'Every token is an event, and the last one says that it is done.',
      maxLength: 4000,
      description: 'The text.',
    }),
    interval: Type.Number({
      minimum: 0,
      maximum: 10,
      default: 0.05,
      description: 'Seconds between two pieces.',
    }),
  }),
  response: events,
  responseHeaders: streamHeaders,
};

export function tokensHandler({ held }: Pick<Services, 'held'>) {
  return async (request: Request<TokensRequest>, reply: Reply): Promise<Readable> => {
    const { text, interval } = request.query;
    return sendEvents(request as Request, reply, held, (place) =>
      tokens(piecesOf(text), interval * 1000, place),
    );
  };
}

/** Words, each with the white space before it; together they are the text. */
export function piecesOf(text: string): string[] {
  return text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? [];
}

async function* tokens(
  pieces: readonly string[],
  intervalMs: number,
  place: HeldRequest,
): AsyncGenerator<string> {
  for (const [index, content] of pieces.entries()) {
    if (index > 0 && intervalMs > 0) await pause(intervalMs, place);
    if (place.signal.aborted) return;
    yield writeEvent({ data: JSON.stringify({ choices: [{ delta: { content } }] }) });
  }
  yield writeEvent({ data: '[DONE]' });
}
