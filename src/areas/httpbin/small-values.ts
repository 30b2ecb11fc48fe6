/** Small responses: a UUID, and text out of base64. */

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { trimEndOf } from '../../base/text/trim-characters.js';
import { HttpError } from '../../http/http-error.js';
import { isolatingHeaders } from '../../http/isolating-headers.js';
import type { Handler } from './lab.js';
import { sendJson } from './send-json.js';

export const giveUuid: Handler = (_request, reply) => sendJson(reply, { uuid: randomUUID() });

export const giveUserAgent: Handler = (request, reply) => {
  return sendJson(reply, { 'user-agent': request.headers['user-agent'] ?? null });
};

/** Of both alphabets of RFC 4648, padded or not. */
export const decodeBase64: Handler = (request, reply) => {
  const { value } = request.params as { readonly value: string };
  const bytes = Buffer.from(value, 'base64url');
  const standard = trimEndOf(value.replaceAll('-', '+').replaceAll('_', '/'), '=');
  if (trimEndOf(bytes.toString('base64'), '=') !== standard || !isUtf8(bytes)) {
    const message =
      'Incorrect Base64 data: the path must be the base64 of UTF-8 text, such as SFRUUEJJTiBpcyBhd2Vzb21l.';
    throw new HttpError(400, message, { body: { errors: [{ field: 'value', message }] } });
  }
  reply.headers(isolatingHeaders);
  return reply.header('content-type', 'text/html; charset=utf-8').send(bytes);
};
