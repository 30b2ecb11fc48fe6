/** An answer with the headers that the query asks for, and with all of them in its body. */

import { isolate } from '../../http/isolate.js';
import { HttpError } from '../../server/http-error.js';
import { checkSettableHeaders, headersByName } from '../../server/settable-headers.js';
import type { Handler } from './lab.js';
import { writeJson } from './write-json.js';

export const giveHeaders: Handler = (request, reply) => {
  const query = request.query as Readonly<Record<string, string | string[]>>;
  const pairs = Object.entries(query).flatMap(([name, values]) => {
    return [values].flat().map((value) => [name, value] as const);
  });
  const errors = checkSettableHeaders(pairs, 'headers').map(({ field, message }) => {
    const [name = field] = pairs[Number(field.split('.')[1])] ?? [];
    return { field: name, message };
  });
  if (errors.length > 0) {
    const message = errors.map((error) => error.message).join(' ');
    throw new HttpError(400, message, { body: { errors } });
  }
  const given = headersByName(pairs);
  const names = new Map(pairs.map(([name]) => [name.toLowerCase(), name]));
  const shown = new Map<string, string | string[]>([['Content-Type', 'application/json']]);
  for (const [lower, value] of given) {
    if (lower === 'content-type') shown.set('Content-Type', value);
    else shown.set(names.get(lower) ?? lower, value);
  }
  reply.header('content-type', 'application/json').headers(Object.fromEntries(given));
  isolate(reply);
  return reply.send(withOwnLength(shown));
};

/** The body says how long it is; a longer number makes it longer, once. */
function withOwnLength(shown: ReadonlyMap<string, unknown>): Buffer {
  let length = 0;
  for (;;) {
    const body = Buffer.from(
      writeJson({ ...Object.fromEntries(shown), 'Content-Length': String(length) }),
    );
    if (body.length === length) return body;
    length = body.length;
  }
}
