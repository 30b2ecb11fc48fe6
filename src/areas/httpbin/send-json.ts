import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonLayout } from '../../http/json-pieces.js';
import { sendLargeJson } from '../../http/large-json.js';
import { writeJson } from './write-json.js';

const contentType = 'application/json';

/** Sends a value in httpbin's form, and with its Content-Type, which names no charset. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header('content-type', contentType).send(Buffer.from(writeJson(value)));
}

/** Sends the same while the client takes it. */
export function sendLarge(
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
  layout: JsonLayout,
): Promise<never> {
  reply.header('content-type', contentType);
  return sendLargeJson(request, reply, value, { layout, end: '\n' });
}
