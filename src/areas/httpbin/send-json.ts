import type { Reply, Request } from '../../http/exchange.js';
import type { JsonLayout } from '../../http/json/json-pieces.js';
import { sendLargeJson } from '../../http/json/large-json.js';
import { writeJson } from './write-json.js';

const contentType = 'application/json';

/** Sends a value in httpbin's form, and with its Content-Type, which names no charset. */
export function sendJson(reply: Reply, value: unknown): Reply {
  return reply.header('content-type', contentType).send(Buffer.from(writeJson(value)));
}

/** Sends the same while the client takes it. */
export function sendLarge(
  request: Request,
  reply: Reply,
  value: unknown,
  layout: JsonLayout,
): Promise<never> {
  reply.header('content-type', contentType);
  return sendLargeJson(request, reply, value, { layout, end: '\n' });
}
