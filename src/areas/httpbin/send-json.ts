import type { FastifyReply } from 'fastify';
import { writeJson, writeJsonInTurns } from './write-json.js';

/** Sends a value in httpbin's form, and with its Content-Type, which names no charset. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return sendText(reply, Buffer.from(writeJson(value)));
}

/** Sends a value that may be large in the same form. */
export async function sendLargeJson(reply: FastifyReply, value: unknown): Promise<FastifyReply> {
  return sendText(reply, await writeJsonInTurns(value));
}

function sendText(reply: FastifyReply, text: Buffer): FastifyReply {
  return reply.header('content-type', 'application/json').send(text);
}
