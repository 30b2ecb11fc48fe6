/** Sends a response in a wrong way. */

import { Readable } from 'node:stream';
import type { Reply } from '#http/exchange.js';
import type { HeldRequest, HeldRequests } from '#http/held-requests.js';
import { pause } from '#http/held-requests.js';
import { beginEvents, heartbeat, sendEvents, writeEvent } from '#http/sending/event-stream.js';
import type { Wire } from './case.js';

const heartbeatMs = 1000;

export function sendWire(
  reply: Reply,
  held: HeldRequests,
  { events = [], end, body, type = '' }: Wire,
): void {
  if (body !== undefined) {
    reply.type(type).serializer(String).send(body);
    return;
  }
  const texts = events.map((each) => writeEvent({ data: JSON.stringify(each) }));
  if (end === 'never') {
    reply.send(sendEvents(reply.request, reply, held, endlessly));
    return;
  }
  beginEvents(reply);
  const text = texts.join('');
  reply.send(Readable.from([end === 'cut' ? text.slice(0, Math.ceil(text.length / 2)) : text]));
}

/** Until the client closes the stream, or the service stops. */
async function* endlessly(heldRequest: HeldRequest): AsyncGenerator<string> {
  while (!heldRequest.signal.aborted) {
    yield heartbeat;
    await pause(heartbeatMs, heldRequest);
  }
}
