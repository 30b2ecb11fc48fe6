import type { FastifyReply } from 'fastify';
import { writeJson } from './write-json.js';

/** Sends a value in httpbin's form, and with its Content-Type, which names no charset. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header('content-type', 'application/json').send(Buffer.from(writeJson(value)));
}
