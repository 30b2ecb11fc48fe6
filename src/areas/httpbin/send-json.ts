import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendLargeJson } from '../../http/large-json.js';
import { wholeLayout, writeJson } from './write-json.js';

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
): Promise<never> {
  reply.header('content-type', contentType);
  return sendLargeJson(request, reply, value, { layout: wholeLayout, end: '\n' });
}
